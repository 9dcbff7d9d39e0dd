/**
 * A program that has read the beginning of its input file and waits for the rest.
 *
 * While it reads, it has the limits of any run. Once it waits it is suspended, so nothing in it can run unwatched, and it
 * does not keep this process alive. One that is part of a running compile is watched until it is used or stopped, because
 * the compile and it share their memory.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { COMPILE_LIMITS } from '../limits/limits.ts'
import { killGroup, memoryBytes, resumeTree, suspendTree, workDone } from '../limits/process-tree.ts'
import { watchRun } from '../limits/run-watcher.ts'
import { monotonicMs } from '../limits/watch-run.ts'
import { endBeforeStart, NOT_FOUND, OutputCollector, startProcess, superviseProcess } from '../run-process.ts'
import type { ProcessCommand, ProcessOptions } from '../run-process.ts'
import type { WaitingCommand } from '../types.ts'
import type { InputPipe } from './input-pipe.ts'
import { setReferenced, streamsOf, type WaitingProcess } from './waiting-process.ts'

export interface ReadingProcess extends WaitingProcess {
  /** Memory in bytes once it has read everything that there is and is suspended; null if it ended before. */
  readonly suspended: Promise<number | null>
}

export interface ReadingOptions {
  readonly pipe: InputPipe
  /** The beginning of the input. */
  readonly start: Uint8Array
  /** How long reading may take. */
  readonly timeoutMs: number
  /** Kept for a later compile, rather than part of a running one. */
  readonly isKept: boolean
  readonly watched: ProcessOptions['watched']
}

const POLL_INTERVAL_MS = 15

/** Starts a program that reads from a pipe. */
export async function startReading(
  processCommand: ProcessCommand,
  command: WaitingCommand,
  { pipe, start, timeoutMs, isKept, watched }: ReadingOptions,
): Promise<ReadingProcess> {
  const child = await startProcess(processCommand, 'ignore')
  const pid = child.pid ?? null
  const stdout = new OutputCollector(COMPILE_LIMITS.keptOutputBytes)
  const stderr = new OutputCollector(COMPILE_LIMITS.keptOutputBytes)
  let isWaiting = pid !== null
  const watch =
    pid === null ? null : watchRun({ ...watched, pid, deadlineMs: monotonicMs() + timeoutMs }, () => leave())
  const leave = (): void => {
    isWaiting = false
    watch?.stop()
    child.stdout?.off('data', collectStdout)
    child.stderr?.off('data', collectStderr)
  }
  const stop = (): void => {
    if (isWaiting && pid !== null) killGroup(pid)
    leave()
    pipe.close()
    for (const stream of streamsOf(child)) stream.destroy()
  }
  const collect = (collector: OutputCollector) => (chunk: Buffer) => {
    collector.add(chunk)
    if (stdout.totalBytes + stderr.totalBytes > COMPILE_LIMITS.outputBytes) stop()
  }
  const collectStdout = collect(stdout)
  const collectStderr = collect(stderr)
  child.stdout?.on('data', collectStdout)
  child.stderr?.on('data', collectStderr)
  child.once('error', leave)
  child.once('exit', () => {
    leave()
    pipe.close()
  })
  setReferenced(child, false)
  pipe.write(start)

  /** Suspends it once it sleeps and has done no work between two looks. */
  const suspendWhenIdle = async (before: number | null): Promise<number | null> => {
    await sleep(POLL_INTERVAL_MS, undefined, { ref: false })
    if (!isWaiting || pid === null) return null
    const now = pipe.isFlushed() && stdout.totalBytes > 0 ? workDone(pid) : null
    if (now === null || now !== before) return suspendWhenIdle(now)
    if (isKept && watch?.stop() !== null) return null
    suspendTree(pid)
    return memoryBytes([pid])
  }

  return {
    command,
    pid,
    isReady: Promise.resolve(isWaiting),
    isWaiting: () => isWaiting,
    suspended: suspendWhenIdle(null),
    stop,
    resume: async (rest, options) => {
      const end = endBeforeStart(options)
      if (end !== null || pid === null) {
        stop()
        return end === null ? NOT_FOUND : { ...NOT_FOUND, end }
      }
      leave()
      setReferenced(child, true)
      const done = superviseProcess(child, options)
      resumeTree(pid)
      pipe.end(typeof rest === 'string' ? Buffer.from(rest) : rest)
      options.onStdout?.(stdout.bytes())
      const report = await done
      return {
        ...report,
        stdout: Buffer.concat([stdout.bytes(), report.stdout]),
        stderr: Buffer.concat([stderr.bytes(), report.stderr]),
      }
    },
  }
}
