/** Times of the API: UTC, whole seconds, `2026-01-31T12:00:00Z`. */
export function timestamp(epochMs: number): string {
  // A commit may contain a time outside the range of dates.
  const date = new Date(Number.isFinite(epochMs) && Math.abs(epochMs) <= 8.64e15 ? epochMs : 0)
  return date.toISOString().replace(/\.\d+Z$/, 'Z')
}
