import { once } from 'node:events'

import { TooManyWaiting } from '../../base/limiter.ts'
import { killGroup, spawnGit, type SpawnGitOptions } from './spawn-git.ts'

/**
 * How a short git command ended. A failing command is a value; only a git that cannot be started throws. Output before
 * a limit is kept.
 */
export type GitRun =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stdout: Buffer; readonly stderr: string }
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly stdout: Buffer }
  | { readonly kind: 'output-too-long' | 'out-of-memory'; readonly stdout: Buffer }
  | { readonly kind: 'aborted' }

/** git was stopped before it answered: the disk or the processor is busy, or the repository is large. */
export class GitTimeout extends TooManyWaiting {
  override readonly cause: string

  constructor(cause: string) {
    super()
    this.cause = cause
  }
}

/** Limits of a short git command. */
export interface RunGitOptions extends SpawnGitOptions {
  readonly timeoutMs: number
  /** Maximum standard output; git is killed at the first byte over it. */
  readonly maxOutputBytes: number
  /** Terminates git so that it can remove its locks. */
  readonly signal?: AbortSignal
  /** Standard input. @default empty */
  readonly input?: Uint8Array | string
}

/** How a query starts git. */
export interface QueryOptions {
  /** Value of PATH. */
  readonly searchPath: string
  /** Aborts when no client waits for the answer. */
  readonly signal: AbortSignal
}

/**
 * Runs one git command and collects its output.
 *
 * @throws Error when git cannot be started.
 */
export async function runGit(args: readonly string[], options: RunGitOptions): Promise<GitRun> {
  const child = spawnGit(options.gitDir === null ? args : [`--git-dir=${options.gitDir}`, ...args], options)
  child.stdin.on('error', () => {}) // git may exit before it has read its input; its exit code says why
  child.stdin.end(options.input)
  let grace: NodeJS.Timeout | undefined
  let cut: Cut | null = null
  const stop = (reason: Cut): void => {
    cut ??= reason
    killGroup(child, reason === 'aborted' ? 'SIGTERM' : 'SIGKILL')
    // git removes its locks within milliseconds; a process that hangs must not delay a shutdown.
    if (reason === 'aborted') grace ??= setTimeout(() => killGroup(child, 'SIGKILL'), GRACE_MS)
  }
  const abort = (): void => stop('aborted')
  if (options.signal?.aborted === true) abort()
  options.signal?.addEventListener('abort', abort, { once: true })
  const timer = setTimeout(() => stop('timed-out'), options.timeoutMs)
  const stdout = collect(child.stdout, options.maxOutputBytes, () => stop('output-too-long'))
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (cut === 'aborted') return { kind: cut }
    if (cut === 'timed-out') return { kind: cut, afterMs: options.timeoutMs, stdout: stdout() }
    if (cut === 'output-too-long') return { kind: cut, stdout: stdout() }
    if (options.maxMemoryBytes !== undefined && code !== 0 && isOutOfMemory(stderr().toString()))
      return { kind: 'out-of-memory', stdout: stdout() }
    return { kind: 'exited', exitCode: code ?? signalExitCode, stdout: stdout(), stderr: stderr().toString() }
  } catch (cause) {
    throw new Error('start git', { cause })
  } finally {
    clearTimeout(timer)
    clearTimeout(grace)
    options.signal?.removeEventListener('abort', abort)
  }
}

/** Why a command is stopped before its end. */
type Cut = 'timed-out' | 'output-too-long' | 'aborted'

/** Whether git ended at its limit of memory, according to its standard error. */
export function isOutOfMemory(stderr: string): boolean {
  return /out of memory|malloc failed|cannot allocate memory/i.test(stderr)
}

/** Time that an aborted git process gets to clean up. */
const GRACE_MS = 5_000

/** Maximum size of standard error that is kept; the rest is discarded. */
export const maxStderrBytes = 16 * 1024

/** The exit code that is reported for an exchange whose git process was killed. */
export const killedExitCode = 128

/** Exit code of a command that was killed: not 128, which git itself uses for errors. */
const signalExitCode = 137

/** Keeps the first `maxBytes` of a stream and discards the rest; the returned function returns the kept bytes. */
export function collect(stream: NodeJS.ReadableStream, maxBytes: number, onOverflow: () => void): () => Buffer {
  const chunks: Buffer[] = []
  let room = maxBytes
  stream.on('data', (chunk: Buffer) => {
    if (chunk.length > room) onOverflow()
    if (room > 0) chunks.push(chunk.subarray(0, room))
    room = Math.max(0, room - chunk.length)
  })
  return () => Buffer.concat(chunks)
}
