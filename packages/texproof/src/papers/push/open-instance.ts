/**
 * This process among the servers of a PostgreSQL database. Each records every two seconds that it is alive. Another one takes
 * over the unfinished pushes of a server that has ended: at once if it ran on the same data directory and machine, because
 * the kernel has released its lock, otherwise when it has not recorded anything for a while.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

import type { Logger } from 'pino'

import { createFaultLog } from '../../base/log/fault-log.ts'
import { lockFile } from '../../store/sqlite/data-dir-lock.ts'
import type { Instances, RegisteredInstance } from '../../store/instances/instances.ts'
import type { JournalEntry } from '../../store/repositories/push-journal.ts'
import type { Store } from '../../store/store.ts'

const BEAT_EVERY_MS = 2_000
/** Longer than the database takes to restart, or a busy machine to schedule a process. */
const SILENT_FOR_MS = 15_000

/** Work that an instance takes over. */
export interface TakenOver {
  /** Instances that have ended since the last time. */
  readonly endedIds: readonly string[]
  /** Their unfinished pushes. */
  readonly entries: readonly JournalEntry[]
}

export interface Instance {
  /** Work that earlier processes left unfinished. */
  readonly first: TakenOver
  /** Whether no other process of the database was alive at the start. */
  readonly isAlone: boolean
  /** Unregisters this process; another takes over what it has not finished. */
  close(): Promise<void>
}

export interface InstanceOptions {
  readonly dataDir: string
  readonly log: Logger
  /** Whether it takes over the work of others: not a command beside a running server. */
  readonly takesOver: boolean
  /** Called when a server has ended, after the start. */
  readonly onTakeOver: (taken: TakenOver) => void
}

/** Registers this process. With SQLite, the lock of the data directory proves that earlier servers have ended. */
export async function openInstance(store: Store, options: InstanceOptions): Promise<Instance> {
  const { instances } = store
  if (instances !== null) return openShared(store, instances, options)
  const entries = options.takesOver ? await store.pushJournal.claim() : []
  return { first: { endedIds: [], entries }, isAlone: true, close: async () => {} }
}

async function openShared(
  store: Store,
  instances: Instances,
  { dataDir, log, takesOver, onTakeOver }: InstanceOptions,
): Promise<Instance> {
  const folder = join(dataDir, 'instances')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lockOf = ({ id }: Pick<RegisteredInstance, 'id'>): string => join(folder, `${id}.lock`)
  const lock = lockFile(lockOf(instances))
  const host = hostname()
  await instances.beat(host)
  const silence = createSilence()
  const faults = createFaultLog(log, 'record that this server is alive')

  async function takeOver(others: readonly RegisteredInstance[]): Promise<TakenOver> {
    const ended = others.filter((other) => silence.isLong(other) || (other.host === host && isFree(lockOf(other))))
    await instances.remove(ended.map(({ id }) => id))
    for (const each of ended) rmSync(lockOf(each), { force: true })
    if (ended.length > 0) log.warn({ ended }, 'took over the work of servers that have ended')
    return { endedIds: ended.map(({ id }) => id), entries: await store.pushJournal.claim() }
  }

  async function beat(): Promise<void> {
    try {
      if (await instances.beat(host)) log.warn('another server had taken over the work of this one')
      const others = await instances.listOthers()
      silence.note(others)
      faults.succeed()
      if (!takesOver) return
      const taken = await takeOver(others)
      if (taken.endedIds.length + taken.entries.length > 0) onTakeOver(taken)
    } catch (error) {
      // Others could not record anything either while the database was away.
      silence.forget()
      faults.fail(error)
    }
  }

  const others = await instances.listOthers()
  silence.note(others)
  const first = takesOver ? await takeOver(others) : { endedIds: [], entries: [] }
  let beating = Promise.resolve()
  let isBeating = false
  const timer = setInterval(() => {
    if (isBeating) return
    isBeating = true
    beating = beat().finally(() => (isBeating = false))
  }, BEAT_EVERY_MS).unref()
  return {
    first,
    isAlone: others.length === first.endedIds.length,
    async close() {
      clearInterval(timer)
      await beating
      await instances.remove([instances.id]).catch((error: unknown) => log.warn({ err: error }, 'unregister'))
      lock?.release()
      rmSync(lockOf(instances), { force: true })
    },
  }
}

/** Whether the process that locked a file has ended. A file that does not exist proves nothing. */
function isFree(path: string): boolean {
  const lock = lockFile(path, { isCreated: false })
  lock?.release()
  return lock !== null
}

/** How long other instances have been silent, by the clock of this process. */
function createSilence() {
  const known = new Map<string, { readonly beat: number; readonly since: number }>()
  return {
    note(others: readonly RegisteredInstance[]): void {
      for (const { id, beat } of others)
        if (known.get(id)?.beat !== beat) known.set(id, { beat, since: performance.now() })
      for (const id of known.keys()) if (!others.some((other) => other.id === id)) known.delete(id)
    },
    isLong({ id }: RegisteredInstance): boolean {
      const since = known.get(id)?.since
      return since !== undefined && performance.now() - since > SILENT_FOR_MS
    },
    forget: (): void => known.clear(),
  }
}
