const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** `3 March 2026`, in UTC. */
export function formatDate(at: number): string {
  return DAY.format(at)
}
