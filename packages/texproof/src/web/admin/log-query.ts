import type { EventFilter } from '../../store/users/account-events.ts'
import type { Store } from '../../store/store.ts'

/** The fields of the form above the log, as typed. */
export interface LogQuery {
  readonly kind: string
  readonly person: string
  /** `2026-03-31`, the first and the last day to show, in UTC. */
  readonly from: string
  readonly until: string
}

const dayMs = 86_400_000

/** Reads the fields from an address; missing ones are empty. */
export function readLogQuery(read: (name: string) => string | undefined): LogQuery {
  const field = (name: string): string => (read(name) ?? '').trim()
  return { kind: field('kind'), person: field('person'), from: field('from'), until: field('until') }
}

/** The filter for the store; null when the person is unknown, so nothing matches. */
export async function toEventFilter(store: Store, query: LogQuery): Promise<EventFilter | null> {
  const { kind, person, from, until } = query
  const user = person === '' ? null : await store.users.findByLogin(person)
  if (person !== '' && user === null) return null
  const lastDay = parseDay(until)
  return {
    kind: kind === '' ? null : kind,
    involvedId: user?.id ?? null,
    since: parseDay(from),
    until: lastDay === null ? null : lastDay + dayMs,
  }
}

/** The address of the log, or of its file, with these fields. */
export function logAddress(path: string, query: LogQuery, more: Readonly<Record<string, string>> = {}): string {
  const fields = Object.entries({ ...query, ...more }).filter(([, value]) => value !== '')
  return fields.length === 0 ? path : `${path}?${new URLSearchParams(fields)}`
}

/** Epoch milliseconds at which a day begins; null for an invalid day. */
function parseDay(text: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return Number.isNaN(at) ? null : at
}
