import { dirname, join, resolve } from 'node:path'

import { listSettingsFiles } from '../../../papers/detect/find-documents.ts'
import { CliError } from '../../cli-error.ts'
import { exitCodes } from '../../exit-codes.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { say } from '../../say.ts'
import { compileOnce, type CompileJob, type FinishedRound } from '../compile-once.ts'
import { explainCompileFailure } from '../explain-compile-failure.ts'
import { readKeys } from './read-keys.ts'
import { openInputWatcher, type InputWatcher } from './watch-inputs.ts'

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
 * cancels it; a failure is reported, and the next change starts a new compile.
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
    if (key === 'l') tellLog(round)
    if (key === 'q') quit.abort()
  })
  const status = endKeys === null ? 'Press Ctrl+C to stop.' : 'r rebuild · o open · l log · q quit'
  try {
    while (!stop.aborted) {
      building = new AbortController()
      wake = Promise.withResolvers()
      const signal = AbortSignal.any([stop, building.signal])
      // Until the inputs are known, a change of any file interrupts the compile.
      const onSource = (files: readonly string[]): Promise<void> => watchFor(watcher, { job, files, round: null })
      const finished = await compileRound(isKnown ? { ...job, signal } : { ...job, signal, onSource })
      if (signal.aborted) continue
      round = finished ?? round
      isKnown = finished !== null
      if (finished !== null) await watchFor(watcher, { job, files: finished.inputs, round: finished })
      else await watchBeside(watcher, job)
      if (finished !== null) await actions.onRound(finished)
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

/** Without a result the inputs are unknown: every change beside the source counts, also of hidden settings. */
async function watchBeside(watcher: InputWatcher, { path }: CompileJob): Promise<void> {
  const source = resolve(path)
  const folders = [source, dirname(source)]
  const settings = folders.flatMap((folder) => listSettingsFiles('').map((file) => join(folder, file)))
  await watcher.watch({ files: [source, ...settings], folders, outputs: [] })
}

interface WatchPlan {
  readonly job: CompileJob
  readonly files: readonly string[]
  readonly round: FinishedRound | null
}

async function watchFor(watcher: InputWatcher, { job, files, round }: WatchPlan): Promise<void> {
  const { output, log } = job.options
  const written = [output, log].flatMap((file) => (file === undefined || file === '-' ? [] : [resolve(file)]))
  const outputs = round === null ? written : [...written, round.usualPdfPath]
  const inputs = files.filter((file) => !outputs.includes(file))
  const others = round === null ? [] : [...round.settings, ...round.sought]
  await watcher.watch({ files: [...inputs, ...others], folders: round?.searched ?? [], outputs })
}

function presentCount(round: FinishedRound | null): string {
  if (round === null) return 'the folder'
  return round.inputs.length === 1 ? '1 file' : `${round.inputs.length} files`
}

function tellLog(round: FinishedRound | null): void {
  const log = round?.result.logs.at(-1)
  say(log === undefined ? 'No log yet' : `== ${log.passNumber} ${log.engine}\n${(log.log || log.stdout).trimEnd()}`)
}
