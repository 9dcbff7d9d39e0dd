import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

/** A program that another process has started for this one; it behaves as a `ChildProcess`. */
export class RelayedProgram extends EventEmitter {
  /** Known from the event `spawn` on. */
  pid: number | undefined = undefined
  readonly spawnfile: string
  readonly stdio: readonly (Socket | null)[]
  #end: readonly [code: number | null, signal: NodeJS.Signals | null] | null = null

  /** `stdio` are this process's ends of its descriptors; null for those that are not pipes. */
  constructor(spawnfile: string, stdio: readonly (Socket | null)[]) {
    super()
    this.spawnfile = spawnfile
    this.stdio = stdio
    this.stdin?.on('error', () => {}) // The program has ended before it has read its input.
    for (const output of this.#outputs()) output.once('close', () => this.#closeIfOver())
  }

  get stdin(): Socket | null {
    return this.stdio[0] ?? null
  }

  get stdout(): Socket | null {
    return this.stdio[1] ?? null
  }

  get stderr(): Socket | null {
    return this.stdio[2] ?? null
  }

  start(pid: number): void {
    this.pid = pid
    this.emit('spawn')
  }

  end(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#end !== null) return
    this.#end = [code, signal]
    this.stdin?.destroy()
    this.emit('exit', code, signal)
    // Unread output would delay `close` forever.
    for (const stream of this.stdio) if (stream !== null && stream.readable) stream.resume()
    this.#closeIfOver()
  }

  /** Ends a program that did not start, or whose state is lost. */
  fail(error: Error): void {
    if (this.#end !== null) return
    this.#end = [null, null]
    this.emit('error', error)
    for (const stream of this.stdio) stream?.destroy()
    this.#closeIfOver()
  }

  /** Only its streams keep this process alive. */
  ref(): void {}
  unref(): void {}

  #outputs(): readonly Socket[] {
    return [this.stdout, this.stderr].filter((stream) => stream !== null)
  }

  #closeIfOver(): void {
    if (this.#end !== null && this.#outputs().every(({ closed }) => closed)) this.emit('close', ...this.#end)
  }
}
