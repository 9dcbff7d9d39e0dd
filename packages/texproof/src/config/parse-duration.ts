const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `500ms`, `60s`, `5m`, `12h` or `30d` in milliseconds; null for anything else and for nothing at all. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim())
  const unit = match?.[2]
  if (unit !== 'ms' && unit !== 's' && unit !== 'm' && unit !== 'h' && unit !== 'd') return null
  const durationMs = Number(match?.[1]) * unitMs[unit]
  return durationMs > 0 ? durationMs : null
}
