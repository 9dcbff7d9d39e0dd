/**
 * The record of the demo: the ids of everything that was created for it. The process that works on the demo, the host
 * or a CLI command, holds the record. Each update replaces the previous text atomically, so only one of two concurrent
 * processes continues. A hold without updates expires, because its process must have died; the next process takes over
 * and removes what is unfinished.
 */
import type { HostSettings } from '../../store/admin/host-settings.ts'

export interface DemoRecord {
  readonly state: 'loading' | 'loaded' | 'removing'
  /** Written before the accounts are created, so that every account is known. */
  readonly userIds: readonly string[]
  /** Repositories created so far. */
  readonly repositoryIds: readonly number[]
  /** The number of repositories to create. */
  readonly repositoryCount: number
  /** When the record was written, in epoch milliseconds; 0 = the hold was released. */
  readonly notedAt: number
}

/** A record as read from the database. */
export interface FoundDemo extends DemoRecord {
  /** The stored text, for `holdDemo`. */
  readonly text: string
}

/** Exclusive access to the record. Every call throws `DemoTakenOver` after another process has taken over. */
export interface DemoHold {
  record(): DemoRecord
  note(change: Partial<DemoRecord>): Promise<void>
  /** Deletes the record. */
  forget(): Promise<void>
}

/** Another process has taken over: this one did not update the record in time. */
export class DemoTakenOver extends Error {
  override readonly name = 'DemoTakenOver'
}

const KEY = 'demo'
/** Longer than the longest step, and longer than the lease of unfinished repositories. */
const HELD_FOR_MS = 15_000

/** Reads the record; null = there is no demo. */
export async function findDemo(settings: HostSettings): Promise<FoundDemo | null> {
  const text = await settings.find(KEY)
  if (text === null) return null
  const stored = JSON.parse(text) as Pick<DemoRecord, 'userIds' | 'repositoryIds'> & Partial<DemoRecord>
  const { repositoryIds, state = 'loaded', repositoryCount = repositoryIds.length, notedAt = 0 } = stored
  return { ...stored, state, repositoryCount, notedAt, text }
}

/** Milliseconds until the hold of another process expires; 0 = the record is not held. */
export function heldForMs({ state, notedAt }: DemoRecord): number {
  return state === 'loaded' ? 0 : Math.max(0, notedAt + HELD_FOR_MS - Date.now())
}

/** Acquires the record that was found, or creates the first one; null if another process was faster. */
export async function holdDemo(
  settings: HostSettings,
  found: FoundDemo | null,
  first: Omit<DemoRecord, 'notedAt'>,
): Promise<DemoHold | null> {
  let record: DemoRecord = { ...first, notedAt: Date.now() }
  let text = JSON.stringify(record)
  const isHeld =
    found === null ? await settings.add(KEY, text) : await settings.replace(KEY, { from: found.text, to: text })
  if (!isHeld) return null

  return {
    record: () => record,
    async note(change) {
      const next = { ...record, notedAt: Date.now(), ...change }
      const to = JSON.stringify(next)
      if (!(await settings.replace(KEY, { from: text, to }))) throw new DemoTakenOver()
      record = next
      text = to
    },
    async forget() {
      if (!(await settings.replace(KEY, { from: text, to: null }))) throw new DemoTakenOver()
    },
  }
}
