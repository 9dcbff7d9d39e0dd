import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { ExitCode } from '../exit-codes.ts'
import { say } from '../say.ts'
import { compileOnChange } from './watch/compile-on-change.ts'
import { compileOnce, type CompileJob, type FinishedRound } from './compile-once.ts'
import { explainCompileFailure } from './explain-compile-failure.ts'
import { reportEvents } from './report/report-events.ts'
import { reportOnTerminal } from './report/report-on-terminal.ts'
import { joinReporters, type CompileReporter } from './report/reporter.ts'
import { openCompiler } from './open-compiler.ts'
import type { CompileCommandOptions } from './options.ts'
import type { PreviewServer } from './preview/serve-preview.ts'
import { readSettings, type CompileSettings } from './read-settings.ts'

const UNNOTICED_MS = 300

/** Runs `texproof compile` and returns its exit code. */
export async function runCompile(path: string, options: CompileCommandOptions): Promise<ExitCode> {
  const settings = readSettings(path, options)
  const interruption = new AbortController()
  const interrupt = (): void => interruption.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  const events = options.events ? reportEvents((line) => process.stdout.write(`${line}\n`)) : null
  try {
    return await compileAndClose({ path, options, settings, events, signal: interruption.signal })
  } catch (error) {
    if (interruption.signal.aborted) {
      events?.onCancel()
      return exitCodes.interrupted
    }
    const failure = explainCompileFailure(error)
    if (failure instanceof CliError) events?.onFailure(failure)
    throw failure
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

interface Command {
  readonly path: string
  readonly options: CompileCommandOptions
  readonly settings: CompileSettings
  readonly events: CompileReporter | null
  readonly signal: AbortSignal
}

async function compileAndClose({ path, options, settings, events, signal }: Command): Promise<ExitCode> {
  const preview = await openPreview(settings)
  try {
    const compiler = await openCompiler(options)
    try {
      if (compiler.weakness !== null) say(`! No sandbox: ${compiler.weakness}`)
      if (options.verbose) say(compiler.description)
      const { quiet = false, explain = false, verbose = false } = options
      const followers = [reportOnTerminal({ quiet, explain, verbose }), events, preview?.follower ?? null]
      const follower = joinReporters(followers.filter((one) => one !== null))
      const job: CompileJob = { path, options, settings, compiler, follower, signal }
      return await (settings.isWatching ? watchAndShow(job, preview) : compileAndOpen(job))
    } finally {
      await compiler.close()
    }
  } finally {
    await preview?.close()
  }
}

async function openPreview({ preview }: CompileSettings): Promise<PreviewServer | null> {
  if (preview === null) return null
  const { servePreview } = await import('./preview/serve-preview.ts')
  const server = await servePreview(preview)
  say(`Preview: ${server.url}`)
  return server
}

async function compileAndOpen(job: CompileJob): Promise<ExitCode> {
  const round = await compileOnce(job)
  if (job.options.open && round.pdfPath !== null) await open(round.pdfPath)
  if (process.stderr.isTTY) await whenFontsKept(job)
  return round.exitCode
}

/** A user at a terminal compiles the document again; a script may run on a machine that exists for one compile. */
async function whenFontsKept({ compiler, options, signal }: CompileJob): Promise<void> {
  const kept = compiler.whenFontsKept().then(() => true)
  if (await Promise.race([kept, sleep(UNNOTICED_MS, false)])) return
  if (!options.quiet) say('Preparing the fonts of this document for the next compile. Press Ctrl+C to skip.')
  await Promise.race([kept, once(signal, 'abort')])
}

/** Opens the viewer once, with the first PDF: the viewer reloads later ones. */
function watchAndShow(job: CompileJob, preview: PreviewServer | null): Promise<ExitCode> {
  let isToOpen = job.options.open ?? false
  const openNewest = async (round: FinishedRound | null): Promise<void> => {
    const target = preview?.url ?? round?.pdfPath ?? null
    if (target === null) say('No PDF yet')
    else await open(target)
  }
  return compileOnChange(job, {
    open: openNewest,
    onRound: async (round) => {
      if (!isToOpen || (preview === null && round.pdfPath === null)) return
      isToOpen = false
      await openNewest(round)
    },
    quiet: job.options.quiet ?? false,
  })
}

async function open(target: string): Promise<void> {
  const { openOnDesktop } = await import('./open-on-desktop.ts')
  if (!(await openOnDesktop(target))) say(`! No program found to open ${target}`)
}
