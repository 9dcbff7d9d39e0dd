/**
 * Reads git objects without starting a process per request.
 *
 * A repository that is being read has one long-lived git; the pool keeps a bounded number of them, lets the least
 * recently used one go for another repository, and ends each after a while of silence. A git that crashes over a
 * damaged object takes nothing else with it: that object reads as damaged, and what stood in line behind it is asked
 * again of a new process. Reading in our own process (a native library) would be faster by microseconds and would take
 * the whole host down over the same object.
 */
import { ObjectProcess, type ObjectBatch, type ObjectProcessEnd } from './object-process.ts'
import type { ObjectQuery, ObjectReply } from './object-replies.ts'

/** Limits of a pool. */
export interface ObjectPoolOptions {
  readonly searchPath: string
  /** Processes at once; 16 unless given. */
  readonly maxProcesses?: number
  /** How long a process is kept unused; 30 s unless given. */
  readonly idleMs?: number
  /** How long git may owe an answer; 20 s unless given. */
  readonly silenceMs?: number
}

/** Owns the processes that read objects. */
export class ObjectPool {
  readonly #options: Required<ObjectPoolOptions>
  /** In order of use, the least recent first. */
  readonly #entries = new Map<string, Entry>()
  readonly #waiting: (() => void)[] = []
  #isClosed = false

  constructor(options: ObjectPoolOptions) {
    this.#options = { maxProcesses: 16, idleMs: 30_000, silenceMs: 20_000, ...options }
  }

  /**
   * Asks about objects of one repository; replies come in the order of the queries.
   *
   * @throws Error when git cannot be started, or the pool is closed.
   */
  async ask(gitDir: string, queries: readonly ObjectQuery[]): Promise<readonly ObjectReply[]> {
    if (queries.length === 0) return []
    while (!this.#makeRoom(gitDir)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    if (this.#isClosed) throw new Error('read objects of a closed store')
    return new Promise((resolve, reject) => {
      const replies: ObjectReply[] = []
      this.#send(gitDir, { queries, replies, onDone: () => resolve(replies), onFailure: reject })
    })
  }

  /** Ends the process of a repository that is gone. */
  forget(gitDir: string): void {
    this.#entries.get(gitDir)?.process.kill()
  }

  /** Lets the process of a repository end after what it was asked: the next one sees the packs as they are now. */
  renew(gitDir: string): void {
    const entry = this.#entries.get(gitDir)
    if (entry !== undefined) this.#retire(gitDir, entry)
  }

  /** Ends every process; what is being asked reads as damaged. */
  async close(): Promise<void> {
    this.#isClosed = true
    const ends = [...this.#entries.values()].map(({ process, ended }) => {
      process.kill()
      return ended
    })
    for (const wake of this.#waiting.splice(0)) wake()
    await Promise.all(ends)
  }

  /** Whether a process for this repository exists or may be started now; lets an idle one go if that helps. */
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

  /** Gives up the object over which a process died, and asks a new one about the rest. */
  #recover(gitDir: string, { unfinished, hasAnswered, error }: ObjectProcessEnd): void {
    const [first, ...others] = unfinished
    if (first === undefined) return
    first.replies.push({ kind: 'damaged' })
    for (const batch of [first, ...others]) {
      if (error !== null) batch.onFailure(error)
      // A process that never answered stands before a damaged repository, not a damaged object.
      else if (!hasAnswered || this.#isClosed) giveUp(batch)
      else if (batch.replies.length === batch.queries.length) batch.onDone()
      else this.#send(gitDir, batch)
    }
  }
}

interface Entry {
  readonly process: ObjectProcess
  idleTimer: NodeJS.Timeout | null
  readonly ended: Promise<void>
}

function giveUp(batch: ObjectBatch): void {
  while (batch.replies.length < batch.queries.length) batch.replies.push({ kind: 'damaged' })
  batch.onDone()
}
