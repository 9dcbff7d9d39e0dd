import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import { listSettingsFiles } from '../../../papers/detect/find-documents.ts'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { say } from '../../say.ts'
import { compileOnce, type CompileJob, type FinishedRound, type FoundSource } from '../compile-once.ts'
import { explainCompileFailure } from '../explain-compile-failure.ts'
import { readKeys } from './read-keys.ts'
import { openInputWatcher, type Watched } from './watch-inputs.ts'

/** Actions of `--watch` other than compiling. */
export interface WatchActions {
  /** Shows the newest PDF, or the preview. */
  readonly open: (round: FinishedRound | null) => Promise<void>
  /** Called after each round with a result. */
  readonly onRound: (round: FinishedRound) => Promise<void>
  readonly quiet: boolean
}

/**
 * Compiles again whenever a setting or a file that was read changes, until `q`, Ctrl-C or a signal. A change during a compile
 * cancels it, except a change of a file that may not be an input; a failure is reported, and the next change starts a new compile.
 */
export async function compileOnChange(job: CompileJob, actions: WatchActions): Promise<ExitCode> {
  const quit = new AbortController()
  const stop = AbortSignal.any([job.signal, quit.signal])
  let round: FinishedRound | null = null
  /** Whether the last compile reported which files it read. */
  let isKnown = false
  let building = new AbortController()
  let wake = Promise.withResolvers<undefined>()
  const rebuild = (): void => {
    building.abort()
    wake.resolve(undefined)
  }
  stop.addEventListener('abort', rebuild)
  const watcher = openInputWatcher(rebuild)
  const endKeys = readKeys(process.stdin, (key) => {
    if (key === 'r') rebuild()
    if (key === 'o') void actions.open(round)
    if (key === 'l') printLog(round)
    if (key === 'q') quit.abort()
  })
  const status = endKeys === null ? 'Press Ctrl+C to stop.' : 'r rebuild · o open · l log · q quit'
  try {
    while (!stop.aborted) {
      building = new AbortController()
      wake = Promise.withResolvers()
      const signal = AbortSignal.any([stop, building.signal])
      watcher.startCompile()
      // Until the inputs are known, any file may be one of them, or be written by another program repeatedly.
      const onSource = ({ folder: top, rootFile, settings, folders }: FoundSource): void =>
        watcher.watch({ top, files: [rootFile, ...settings], folders: [], noted: folders, outputs: listOutputs(job) })
      const finished = await compileRound(isKnown ? { ...job, signal } : { ...job, signal, onSource })
      if (signal.aborted) continue
      round = finished ?? round
      isKnown = finished !== null
      const isOutdated = watcher.watchAfter(finished === null ? besideSource(job) : inputsOf(finished, job))
      if (finished !== null) await actions.onRound(finished)
      if (isOutdated) continue
      if (!actions.quiet) say(`Watching ${presentCount(finished)}.  ${status}`)
      await wake.promise
    }
  } finally {
    stop.removeEventListener('abort', rebuild)
    watcher.close()
    endKeys?.()
  }
  return quit.signal.aborted && !job.signal.aborted ? (round?.exitCode ?? exitCodes.good) : exitCodes.interrupted
}

/** Null without a result: cancelled, or a failure that was reported. */
async function compileRound(job: CompileJob): Promise<FinishedRound | null> {
  try {
    return await compileOnce(job)
  } catch (error) {
    if (job.signal.aborted) {
      job.follower.onCancel()
      return null
    }
    const failure = explainCompileFailure(error)
    if (!(failure instanceof CliError)) throw failure
    job.follower.onFailure(failure)
    say(`texproof: ${failure.message}`)
    if (failure.remedy !== null) say(`          ${failure.remedy}`)
    return null
  }
}

/** Without a result the inputs are unknown: every change beside the source counts, including hidden settings. */
function besideSource(job: CompileJob): Watched {
  const source = resolve(job.path)
  const folders = [source, dirname(source)]
  const settings = folders.flatMap((folder) => listSettingsFiles('').map((file) => join(folder, file)))
  return { top: dirname(source), files: [source, ...settings], folders, outputs: listOutputs(job) }
}

function inputsOf(round: FinishedRound, job: CompileJob): Watched {
  const { folder: top, files: known, inputs, settings, sought, folders, searched, usualPdfPath } = round
  const outputs = [...listOutputs(job), ...withTarget(usualPdfPath)]
  const read = inputs.filter((file) => !outputs.includes(file))
  const files = [...read, ...settings, ...sought]
  return { top, files, folders: searched, ...(known === null ? {} : { known, noted: folders }), outputs }
}

/** The files of the options, and those to which the shell redirects the output. */
function listOutputs({ options: { output, log } }: CompileJob): readonly string[] {
  const written = [output, log].flatMap((file) => (file === undefined || file === '-' ? [] : withTarget(resolve(file))))
  return [...written, ...[1, 2].flatMap((descriptor) => readRedirection(descriptor) ?? [])]
}

/** The file that is written through a link has another path. */
function withTarget(path: string): readonly string[] {
  try {
    return [path, realpathSync(path)]
  } catch {
    return [path] // Nothing is written yet.
  }
}

function readRedirection(descriptor: number): string | null {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return null // No /proc, or the descriptor is closed: nothing to ignore.
  }
}

function presentCount(round: FinishedRound | null): string {
  if (round === null) return 'the folder'
  return round.inputs.length === 1 ? '1 file' : `${round.inputs.length} files`
}

function printLog(round: FinishedRound | null): void {
  const log = round?.result.logs.at(-1)
  say(log === undefined ? 'No log yet' : `== ${log.passNumber} ${log.engine}\n${(log.log || log.stdout).trimEnd()}`)
}
