/**
 * Reads git objects without starting a process per request.
 *
 * Each repository that is being read has one long-lived git process. The pool bounds their number, ends the least
 * recently used one to make room for another repository, and ends each after a while without queries. If git crashes twice
 * on a damaged object, only that object is reported as damaged; the remaining queries go to a new process. Reading in this
 * process with a native library would be faster by microseconds, but the same object would crash the whole host.
 */
import { ObjectProcess, type ObjectBatch, type ObjectProcessEnd } from './object-process.ts'
import type { ObjectQuery, ObjectReply } from './object-replies.ts'

/** Limits of a pool. */
export interface ObjectPoolOptions {
  readonly searchPath: string
  /** Concurrent processes. @default 16 */
  readonly maxProcesses?: number
  /** How long an unused process is kept, in milliseconds. @default 30 s */
  readonly idleMs?: number
  /** How long git may take to answer. @default 20 s */
  readonly silenceMs?: number
}

/** Owns the processes that read objects. */
export class ObjectPool {
  readonly #options: Required<ObjectPoolOptions>
  /** Entries in order of use, the least recently used first. */
  readonly #entries = new Map<string, Entry>()
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  constructor(options: ObjectPoolOptions) {
    this.#options = { maxProcesses: 16, idleMs: 30_000, silenceMs: 20_000, ...options }
  }

  /**
   * Queries objects of one repository; replies are in the order of the queries.
   *
   * @throws Error when git cannot be started, or the pool is closed.
   */
  async ask(gitDir: string, queries: readonly ObjectQuery[]): Promise<readonly ObjectReply[]> {
    if (queries.length === 0) return []
    while (!this.#makeRoom(gitDir)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#isClosed) throw new Error('read objects of a closed store')
    return new Promise((resolve, reject) => {
      const replies: ObjectReply[] = []
      this.#send(gitDir, { queries, replies, failures: 0, onDone: () => resolve(replies), onFailure: reject })
    })
  }

  /** Ends the process of a removed repository. */
  forget(gitDir: string): void {
    this.#entries.get(gitDir)?.process.kill()
  }

  /** Ends the process of a repository after its pending queries: the next process reads the current packs. */
  renew(gitDir: string): void {
    const entry = this.#entries.get(gitDir)
    if (entry !== undefined) this.#retire(gitDir, entry)
  }

  /** Ends every process; pending queries are answered as damaged. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ends = [...this.#entries.values()].map(({ process, ended }) => {
      process.kill()
      return ended
    })
    for (const wake of this.#waiting.splice(0)) wake()
    await Promise.all(ends)
  }

  /** Whether a process for this repository exists or may be started now; ends an idle one if necessary. */
  #makeRoom(gitDir: string): boolean {
    if (this.#isClosed || this.#entries.has(gitDir) || this.#entries.size < this.#options.maxProcesses) return true
    const idle = [...this.#entries].find(([, entry]) => !entry.process.isBusy)
    if (idle !== undefined) this.#retire(...idle)
    return idle !== undefined
  }

  #send(gitDir: string, batch: ObjectBatch): void {
    const entry = this.#entries.get(gitDir) ?? this.#start(gitDir)
    this.#entries.delete(gitDir)
    this.#entries.set(gitDir, entry)
    if (entry.idleTimer !== null) clearTimeout(entry.idleTimer)
    entry.idleTimer = null
    entry.process.ask(batch)
  }

  #start(gitDir: string): Entry {
    const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>()
    const process = new ObjectProcess(gitDir, {
      searchPath: this.#options.searchPath,
      silenceMs: this.#options.silenceMs,
      onIdle: () => this.#rest(gitDir, entry),
      onEnd: (end) => {
        if (this.#entries.get(gitDir) === entry) this.#entries.delete(gitDir)
        if (entry.idleTimer !== null) clearTimeout(entry.idleTimer)
        this.#recover(gitDir, end)
        this.#wakeOne()
        onEnded()
      },
    })
    const entry: Entry = { process, idleTimer: null, ended }
    return entry
  }

  #rest(gitDir: string, entry: Entry): void {
    entry.idleTimer = setTimeout(() => this.#retire(gitDir, entry), this.#options.idleMs).unref()
    this.#wakeOne()
  }

  #retire(gitDir: string, entry: Entry): void {
    this.#entries.delete(gitDir)
    if (entry.idleTimer !== null) clearTimeout(entry.idleTimer)
    entry.process.close()
  }

  #wakeOne(): void {
    this.#waiting.shift()?.()
  }

  /**
   * Sends unanswered queries to a new process. An object that fails twice is damaged; the first time, the process may have
   * been killed, or the machine may have slept.
   */
  #recover(gitDir: string, { unfinished, error }: ObjectProcessEnd): void {
    const [first] = unfinished
    if (first === undefined) return
    first.failures += 1
    if (first.failures === MAX_FAILURES) first.replies.push({ kind: 'damaged' })
    // No object is to blame if git fails at the next one as well.
    const isHopeless = this.#isClosed || first.failures > MAX_FAILURES
    for (const batch of unfinished) {
      if (error !== null) batch.onFailure(error)
      else if (isHopeless) giveUp(batch)
      else if (batch.replies.length === batch.queries.length) batch.onDone()
      else this.#send(gitDir, batch)
    }
  }
}

const MAX_FAILURES = 2

interface Entry {
  readonly process: ObjectProcess
  idleTimer: NodeJS.Timeout | null
  readonly ended: Promise<void>
}

function giveUp(batch: ObjectBatch): void {
  while (batch.replies.length < batch.queries.length) batch.replies.push({ kind: 'damaged' })
  batch.onDone()
}
