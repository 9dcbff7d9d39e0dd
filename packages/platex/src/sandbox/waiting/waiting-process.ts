/**
 * A program started before its input is known: it has loaded its constant files, and waits on standard input.
 *
 * It does not keep this process alive, and has no deadline until it is resumed.
 */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { killGroup } from '../limits/process-tree.ts'
import { endBeforeStart, NOT_FOUND, startProcess, superviseProcess } from '../run-process.ts'
import type { ProcessCommand, ProcessOptions } from '../run-process.ts'
import type { RunReport, WaitingCommand } from '../types.ts'

export interface WaitingProcess {
  readonly command: WaitingCommand
  readonly pid: number | null
  /** True when it waits; false if it ended, printed something unexpected or took too long. */
  readonly isReady: Promise<boolean>
  /** True until it ends, is resumed or stopped. */
  isWaiting(): boolean
  /** Sends its input and supervises it to its end. Callable once. */
  resume(input: string | Uint8Array, options: ProcessOptions): Promise<RunReport>
  stop(): void
}

/** Maximum duration of a start, which takes seconds on a fully loaded machine. */
const READY_TIMEOUT_MS = 20_000
const MAX_PRINTED_BYTES = 64 * 1024

/** Starts a program that waits. */
export async function startWaiting(processCommand: ProcessCommand, command: WaitingCommand): Promise<WaitingProcess> {
  const child = await startProcess(processCommand, 'pipe')
  let isWaiting = child.pid !== undefined
  let printed = Buffer.alloc(0)
  const ready = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => stop(), READY_TIMEOUT_MS).unref()
  const settle = (isReady: boolean): void => {
    clearTimeout(timer)
    ready.resolve(isReady)
  }
  const leave = (): void => {
    isWaiting = false
    settle(false)
    child.stdout?.off('data', collect)
  }
  const stop = (): void => {
    if (isWaiting && child.pid !== undefined) killGroup(child.pid)
    leave()
    for (const stream of streamsOf(child)) stream.destroy()
  }
  const collect = (chunk: Buffer): void => {
    printed = Buffer.concat([printed, chunk])
    if (printed.length > MAX_PRINTED_BYTES) stop()
    else if (command.prompt !== null && printed.toString('latin1').endsWith(command.prompt)) settle(true)
  }
  child.stdout?.on('data', collect)
  child.once('error', leave)
  child.once('exit', leave)
  child.stdin?.on('error', () => {}) // It has ended; its exit says why.
  setReferenced(child, false)
  if (command.prompt === null) settle(isWaiting)
  return {
    command,
    pid: child.pid ?? null,
    isReady: ready.promise,
    isWaiting: () => isWaiting,
    stop,
    resume: async (input, options) => {
      const end = endBeforeStart(options)
      if (end !== null) {
        stop()
        return { ...NOT_FOUND, end }
      }
      leave()
      setReferenced(child, true)
      const done = superviseProcess(child, options)
      child.stdin?.end(input)
      return { ...(await done), before: { stdout: printed, env: command.env } }
    },
  }
}

/** The pipes to a process. */
export function streamsOf(child: ChildProcess): readonly Socket[] {
  return [child.stdin, child.stdout, child.stderr].filter((stream) => stream !== null) as unknown as Socket[]
}

/** Whether a process and its pipes keep this process alive. */
export function setReferenced(child: ChildProcess, isReferenced: boolean): void {
  for (const handle of [child, ...streamsOf(child)]) {
    if (isReferenced) handle.ref()
    else handle.unref()
  }
}
