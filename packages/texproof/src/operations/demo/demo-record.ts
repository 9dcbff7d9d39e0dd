/**
 * What a host remembers of its demonstration: the ids of all that was made for it. Whoever works on it, the host or a
 * command beside it, holds the record: each note replaces the one before it in one step, so that of two who work at
 * the same time only one gets on. A hold without news ends by itself, since its process must have died; whoever comes
 * next takes over what is half made.
 */
import type { HostSettings } from '../../store/admin/host-settings.ts'

export interface DemoRecord {
  readonly state: 'loading' | 'loaded' | 'removing'
  /** Noted before the accounts are made, so that none of them is ever unknown. */
  readonly userIds: readonly string[]
  /** Those that were made so far. */
  readonly repositoryIds: readonly number[]
  /** How many it is to be. */
  readonly repositoryCount: number
  /** Epoch milliseconds of the note; 0 = whoever held it has let go. */
  readonly notedAt: number
}

/** A record as it was found. */
export interface FoundDemo extends DemoRecord {
  /** As it is stored, for `holdDemo`. */
  readonly text: string
}

/** Work on the demonstration that nobody else does at the same time. Every call throws `DemoTakenOver` after a take-over. */
export interface DemoHold {
  record(): DemoRecord
  note(change: Partial<DemoRecord>): Promise<void>
  /** Nobody remembers a demonstration any more. */
  forget(): Promise<void>
}

/** Somebody else has taken the demonstration over: this process had no news of its own for too long. */
export class DemoTakenOver extends Error {
  override readonly name = 'DemoTakenOver'
}

const KEY = 'demo'
/** Longer than the longest step, and than unfinished repositories are left alone. */
const HELD_FOR_MS = 15_000

/** What is remembered; null = there is no demonstration. */
export async function findDemo(settings: HostSettings): Promise<FoundDemo | null> {
  const text = await settings.find(KEY)
  if (text === null) return null
  const stored = JSON.parse(text) as Pick<DemoRecord, 'userIds' | 'repositoryIds'> & Partial<DemoRecord>
  const { repositoryIds, state = 'loaded', repositoryCount = repositoryIds.length, notedAt = 0 } = stored
  return { ...stored, state, repositoryCount, notedAt, text }
}

/** How long somebody still holds it, in milliseconds; 0 = nobody does. */
export function heldForMs({ state, notedAt }: DemoRecord): number {
  return state === 'loaded' ? 0 : Math.max(0, notedAt + HELD_FOR_MS - Date.now())
}

/** Takes hold of what was found, or of nothing; null when somebody else was faster. */
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
