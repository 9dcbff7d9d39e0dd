const STEPS: readonly (readonly [limitMs: number, unitMs: number, unit: string])[] = [
  [90_000, 1_000, 's'],
  [90 * 60_000, 60_000, 'min'],
  [36 * 3_600_000, 3_600_000, 'h'],
  [31 * 86_400_000, 86_400_000, 'd'],
]

/** `9 s ago`, `2 min ago`, `3 d ago`; null = older than a month. Also runs in the browser. */
export function formatRecentAge(at: number, now: number): string | null {
  const ageMs = Math.max(0, now - at)
  const step = STEPS.find(([limitMs]) => ageMs < limitMs)
  if (step === undefined) return null
  const [, unitMs, unit] = step
  return `${Math.floor(ageMs / unitMs)} ${unit} ago`
}
