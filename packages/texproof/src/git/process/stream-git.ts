/** Streams git's output to a client, at the speed of the client. */
import { pipeline } from 'node:stream'
import type { Duplex } from 'node:stream'

import type { GitSetting } from './git-settings.ts'
import { collect, killedExitCode, maxStderrBytes } from './run-git.ts'
import { killGroup, spawnGit } from './spawn-git.ts'

export interface GitStream {
  /** Fails if git fails, if the client reads nothing for a minute, or after ten minutes. */
  readonly body: ReadableStream<Uint8Array>
  /** Resolves when git has ended, for any reason. */
  readonly ended: Promise<void>
}

/** Options of a git process, and a stream that transforms its output. */
export interface StreamGitOptions {
  readonly gitDir: string
  readonly searchPath: string
  readonly settings?: readonly GitSetting[]
  /** Private memory of git. @default no limit */
  readonly maxMemoryBytes?: number
  readonly through?: Duplex | undefined
}

const MAX_MS = 10 * 60_000
/** A client that reads nothing for this long counts as disconnected. */
const STALL_MS = 60_000

/** Starts git. A caller that does not read the body must cancel it. */
export function streamGit(
  command: readonly [name: string, ...args: string[]],
  { through, gitDir, ...options }: StreamGitOptions,
): GitStream {
  const child = spawnGit([`--git-dir=${gitDir}`, ...command], { gitDir, ...options })
  child.stdin.on('error', () => {}) // git may exit before it reads the end of the input
  child.stdin.end()
  const stderr = collect(child.stderr, maxStderrBytes, () => {})
  const exit = Promise.withResolvers<number>()
  child.once('error', () => exit.resolve(killedExitCode))
  // `exit`, because `close` waits until the output is read.
  child.once('exit', (code) => exit.resolve(code ?? killedExitCode))
  const stop = (): void => {
    killGroup(child, 'SIGKILL')
    child.stdout.destroy()
  }
  const deadline = setTimeout(stop, MAX_MS)
  const ended = exit.promise.then(() => clearTimeout(deadline))

  async function* read(): AsyncGenerator<Uint8Array> {
    yield* child.stdout
    const exitCode = await exit.promise
    if (exitCode !== 0) throw new Error(`${command[0]}: git ended with ${exitCode}: ${stderr().toString().trim()}`)
  }

  // With `pipe`, the reader would wait forever when git is stopped, and the output of a git that failed would look complete.
  const chunks: AsyncIterable<Uint8Array> = through === undefined ? read() : pipeline(read(), through, () => {})
  return { body: toBody(chunks[Symbol.asyncIterator](), { what: command[0], stop }), ended }
}

function toBody(
  chunks: AsyncIterator<Uint8Array>,
  { what, stop }: { readonly what: string; readonly stop: () => void },
): ReadableStream<Uint8Array> {
  let stall: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall)
        const next = await chunks.next()
        if (next.done === true) {
          controller.close()
          return
        }
        controller.enqueue(next.value)
        stall = setTimeout(() => {
          stop()
          controller.error(new Error(`${what}: the reader has stalled`))
        }, STALL_MS)
      },
      cancel() {
        clearTimeout(stall)
        stop()
      },
    },
    { highWaterMark: 0 },
  )
}
