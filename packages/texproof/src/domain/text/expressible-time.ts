/** Start of the year 0. The years 0 to 9999 have four digits. */
const FIRST_MS = Date.UTC(-1, 12)
const LAST_MS = Date.UTC(10_000, 0) - 1

/** The time of a commit may be any number; one whose year has not four digits is shown as 1970. Epoch milliseconds. */
export function expressibleTime(epochMs: number): number {
  return epochMs >= FIRST_MS && epochMs <= LAST_MS ? epochMs : 0
}
