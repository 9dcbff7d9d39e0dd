/**
 * Starts one program as the leader of its own process group and supervises it to its end.
 *
 * Every way a run can end is a value. On a timeout, an abort or an exceeded limit the whole group is killed at once:
 * TeX does not handle SIGTERM, and under bubblewrap the death of the group's leader ends its process namespace.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { killGroup } from './limits/process-tree.ts'
import { COMPILE_LIMITS } from './limits/limits.ts'
import { START_NICENESS } from './limits/priority.ts'
import { watchRun } from './limits/run-watcher.ts'
import { monotonicMs, type Excess, type WatchedRun } from './limits/watch-run.ts'
import type { ChildCommand } from './spawner/start-child.ts'
import { spawnProgram, type ProgramDescriptor } from './spawner/spawner.ts'
import type { RunEnd, RunReport } from './types.ts'

export interface ProcessCommand extends ChildCommand {
  /** Descriptors of the program from number 3 on. */
  readonly extraDescriptors: readonly ProgramDescriptor[]
  /** Called right after the start. */
  readonly onStarted?: ((child: ChildProcess, pid: number) => void) | undefined
}

export interface ProcessOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly onStdout?: ((chunk: Uint8Array) => void) | undefined
  /** Limits for the watcher. */
  readonly watched: Omit<WatchedRun, 'pid' | 'deadlineMs'>
}

/** How long to wait for the streams of a killed run to close. */
const CLOSE_GRACE_MS = 2000

/** Shells and bubblewrap report a program ended by a signal as 128 + its number. */
const SIGNAL_EXIT_BASE = 128

/** Result for a program that is not installed. */
export const NOT_FOUND: RunReport = {
  end: { kind: 'not-found' },
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  durationMs: 0,
}

/** Runs a program to its end; rejects only if it cannot be started at all. */
export async function runProcess(command: ProcessCommand, options: ProcessOptions): Promise<RunReport> {
  const end = endBeforeStart(options)
  if (end !== null) return { ...NOT_FOUND, end }
  return superviseProcess(await startProcess(command, 'ignore'), options)
}

/** The result of a run without time left, or cancelled before its start; null if it can start. */
export function endBeforeStart({ signal, timeoutMs }: Pick<ProcessOptions, 'signal' | 'timeoutMs'>): RunEnd | null {
  if (signal?.aborted) return { kind: 'aborted' }
  return timeoutMs <= 0 ? { kind: 'timed-out' } : null
}

/** Starts a program without waiting for its end; rejects if it cannot be started. */
export async function startProcess(command: ProcessCommand, stdin: 'ignore' | 'pipe'): Promise<ChildProcess> {
  const descriptors = [stdin, 'pipe', 'pipe', ...command.extraDescriptors] as const
  const child = spawnProgram({ niceness: START_NICENESS, ...command }, descriptors)
  try {
    await once(child, 'spawn')
  } catch (cause) {
    throw new Error(`start ${command.program}`, { cause })
  }
  admitGroup(child, command)
  return child
}

/** Supervises a program to its end. The time until now does not count. */
export async function superviseProcess(child: ChildProcess, options: ProcessOptions): Promise<RunReport> {
  const startedAt = performance.now()
  const stdout = new OutputCollector(COMPILE_LIMITS.keptOutputBytes)
  const stderr = new OutputCollector(COMPILE_LIMITS.keptOutputBytes)
  const end = await superviseGroup(child, { ...options, stdout, stderr })
  return { end, stdout: stdout.bytes(), stderr: stderr.bytes(), durationMs: performance.now() - startedAt }
}

/** A process that cannot join its control group is killed. */
function admitGroup(child: ChildProcess, { onStarted }: ProcessCommand): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    onStarted?.(child, pid)
  } catch (error) {
    child.on('error', () => {})
    killGroup(pid)
    throw error
  }
}

interface Supervision extends ProcessOptions {
  readonly stdout: OutputCollector
  readonly stderr: OutputCollector
}

function superviseGroup(child: ChildProcess, supervision: Supervision): Promise<RunEnd> {
  const { timeoutMs, signal, onStdout, stdout, stderr } = supervision
  return new Promise((resolve, reject) => {
    let forcedEnd: RunEnd | null = null
    let graceTimer: NodeJS.Timeout | undefined
    const leaveSoon = () => (graceTimer ??= setTimeout(settle, CLOSE_GRACE_MS, null, null))
    const stop = (end: RunEnd) => {
      if (forcedEnd !== null) return
      forcedEnd = end
      if (child.pid !== undefined) killGroup(child.pid)
      leaveSoon()
    }
    const onAbort = () => stop({ kind: 'aborted' })
    const deadlineMs = monotonicMs() + timeoutMs
    const watch =
      child.pid === undefined ? null : watchRun({ ...supervision.watched, pid: child.pid, deadlineMs }, leaveSoon)
    const settle = (code: number | null, signalName: NodeJS.Signals | null) => {
      const excess = release()
      child.stdout?.destroy()
      child.stderr?.destroy()
      resolve(forcedEnd ?? (excess === null ? naturalEnd(code, signalName) : excessEnd(excess)))
    }
    const release = () => {
      clearTimeout(graceTimer)
      signal?.removeEventListener('abort', onAbort)
      return watch?.stop() ?? null
    }
    const collect = (collector: OutputCollector) => (chunk: Buffer) => {
      collector.add(chunk)
      if (stdout.totalBytes + stderr.totalBytes > COMPILE_LIMITS.outputBytes) {
        stop({ kind: 'limit-exceeded', limit: 'output' })
      }
    }
    if (signal?.aborted === true) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    child.stdout?.on('data', collect(stdout))
    if (onStdout !== undefined) child.stdout?.on('data', onStdout)
    child.stderr?.on('data', collect(stderr))
    child.once('error', (error) => {
      release()
      reject(new Error(`start ${child.spawnfile}`, { cause: error }))
    })
    child.once('close', settle)
  })
}

function excessEnd(excess: Excess): RunEnd {
  return excess === 'time' ? { kind: 'timed-out' } : { kind: 'limit-exceeded', limit: excess }
}

function naturalEnd(code: number | null, signalName: NodeJS.Signals | null): RunEnd {
  if (signalName !== null) return signalEnd(signalName)
  const exitCode = code ?? 0
  const name = exitCode > SIGNAL_EXIT_BASE ? signalNamed(exitCode - SIGNAL_EXIT_BASE) : null
  return name === null ? { kind: 'exited', exitCode } : signalEnd(name)
}

function signalEnd(signalName: string): RunEnd {
  if (signalName === 'SIGXFSZ') return { kind: 'limit-exceeded', limit: 'file-size' }
  // The kernel finds no room for a page of a mapped file. A program can be ended so before the full disk is noticed.
  if (signalName === 'SIGBUS') return { kind: 'limit-exceeded', limit: 'disk' }
  if (signalName === 'SIGXCPU') return { kind: 'limit-exceeded', limit: 'cpu' }
  return { kind: 'killed', signal: signalName }
}

function signalNamed(signalNumber: number): string | null {
  return Object.entries(constants.signals).find(([, value]) => value === signalNumber)?.[0] ?? null
}

/** Keeps the first bytes of a stream and counts all. */
export class OutputCollector {
  readonly #maxKeptBytes: number
  readonly #chunks: Uint8Array[] = []
  #keptBytes = 0
  #totalBytes = 0

  constructor(maxKeptBytes: number) {
    this.#maxKeptBytes = maxKeptBytes
  }

  get totalBytes(): number {
    return this.#totalBytes
  }

  add(chunk: Uint8Array): void {
    this.#totalBytes += chunk.length
    const kept = chunk.subarray(0, this.#maxKeptBytes - this.#keptBytes)
    if (kept.length === 0) return
    this.#keptBytes += kept.length
    this.#chunks.push(kept)
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks)
  }
}
