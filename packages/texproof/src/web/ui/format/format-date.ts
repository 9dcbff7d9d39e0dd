const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const DAY_MS = 86_400_000

/** Dates already formatted; a table of hundreds of rows has few. */
const named = new Map<number, string>()
const MAX_NAMED = 2_000

/** `3 March 2026`, in UTC. */
export function formatDate(at: number): string {
  const day = Math.floor(at / DAY_MS)
  const known = named.get(day)
  if (known !== undefined) return known
  if (named.size >= MAX_NAMED) named.clear()
  const text = DAY.format(at)
  named.set(day, text)
  return text
}
