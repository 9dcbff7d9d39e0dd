import type { ChildProcessWithoutNullStreams } from 'node:child_process'

import { createReplyReader, encodeObjectQuery, type ObjectQuery, type ObjectReply } from './object-replies.ts'
import { killGroup, spawnGit } from '../process/spawn-git.ts'

/** Queries that are answered together. */
export interface ObjectBatch {
  readonly queries: readonly ObjectQuery[]
  /** Grows to the length of `queries`. */
  readonly replies: ObjectReply[]
  /** Processes in a row that ended at the same query. */
  failures: number
  /** Called once when all replies have arrived. */
  readonly onDone: () => void
  /** Called once when git cannot be started. */
  readonly onFailure: (error: Error) => void
}

/** How a process ended, and the unanswered queries. */
export interface ObjectProcessEnd {
  readonly unfinished: readonly ObjectBatch[]
  /** The error if git could not be started. */
  readonly error: Error | null
}

/** One long-lived `git cat-file --batch-command` of one repository, which answers batches in order. */
export class ObjectProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #queue: ObjectBatch[] = []
  readonly #silenceMs: number
  #timer: NodeJS.Timeout | null = null

  /** `silenceMs` is how long git may take to answer before it is killed. */
  constructor(
    gitDir: string,
    options: {
      readonly searchPath: string
      readonly silenceMs: number
      readonly onIdle: () => void
      readonly onEnd: (end: ObjectProcessEnd) => void
    },
  ) {
    this.#silenceMs = options.silenceMs
    // With `--buffer`, git answers a whole batch at once, at the `flush` at its end.
    const args = [`--git-dir=${gitDir}`, 'cat-file', '--batch-command', '--buffer']
    this.#child = spawnGit(args, { gitDir, searchPath: options.searchPath })
    const reader = createReplyReader({
      nextQuery: () => this.#queue[0]?.queries[this.#queue[0].replies.length] ?? null,
      onReply: (reply) => this.#take(reply, options.onIdle),
    })
    let error: Error | null = null
    this.#child.on('error', (cause) => {
      error = new Error('start git', { cause })
    })
    this.#child.stdin.on('error', () => {}) // the `close` event reports that git has ended
    this.#child.stderr.resume()
    this.#child.stdout.on('data', (chunk: Buffer) => {
      if (!reader.push(chunk)) this.kill()
    })
    this.#child.on('close', () => {
      this.#stopClock()
      options.onEnd({ unfinished: this.#queue.splice(0), error })
    })
  }

  get isBusy(): boolean {
    return this.#queue.length > 0
  }

  ask(batch: ObjectBatch): void {
    this.#queue.push(batch)
    const rest = batch.queries.slice(batch.replies.length)
    if (!this.#child.stdin.destroyed) this.#child.stdin.write(`${rest.map(encodeObjectQuery).join('')}flush\n`)
    this.#timer ??= setTimeout(() => this.kill(), this.#silenceMs)
  }

  /** Lets git end after the pending queries; no more may follow. */
  close(): void {
    this.#child.stdin.end()
  }

  kill(): void {
    killGroup(this.#child, 'SIGKILL')
  }

  #take(reply: ObjectReply, onIdle: () => void): void {
    const [batch] = this.#queue
    if (batch === undefined) return
    this.#timer?.refresh()
    batch.failures = 0
    batch.replies.push(reply)
    if (batch.replies.length < batch.queries.length) return
    this.#queue.shift()
    batch.onDone()
    if (this.isBusy) return
    this.#stopClock()
    onIdle()
  }

  #stopClock(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }
}
