/** From the year 0 to 9999, which have four digits. */
const FIRST_MS = Date.UTC(-1, 12)
const LAST_MS = Date.UTC(10_000, 0) - 1

/**
 * Times of the API: UTC, whole seconds, `2026-01-31T12:00:00Z`. The time of a commit may be any number; what this form
 * cannot express is 1970.
 */
export function timestamp(epochMs: number): string {
  const isExpressible = epochMs >= FIRST_MS && epochMs <= LAST_MS
  return new Date(isExpressible ? epochMs : 0).toISOString().replace(/\.\d+Z$/, 'Z')
}
