/** Build minutes are counted in a rolling window. */
export const BUILD_WINDOW_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

/** When a build ran; `finishedAt` is null while it runs. Epoch milliseconds. */
export interface BuildRun {
  readonly startedAt: number
  readonly finishedAt: number | null
}

/** The build time used, and when the next build may run. */
export interface BuildMinutesUse {
  readonly usedMs: number
  /** Epoch milliseconds; null = now. */
  readonly freeAt: number | null
}

/** Adds up build time in the window that ends now. A new build may run while less than the limit is used. */
export function measureBuildMinutes(
  runs: readonly BuildRun[],
  { now, limitMinutes }: { readonly now: number; readonly limitMinutes: number },
): BuildMinutesUse {
  const since = now - BUILD_WINDOW_MS
  const spans = runs
    .map(({ startedAt, finishedAt }) => ({ from: Math.max(since, startedAt), to: finishedAt ?? now }))
    .filter(({ from, to }) => to > from)
    .toSorted((left, right) => left.from - right.from)
  const usedMs = spans.reduce((sum, { from, to }) => sum + to - from, 0)
  let surplusMs = usedMs - limitMinutes * MINUTE_MS
  if (surplusMs < 0) return { usedMs, freeAt: null }
  // The oldest minutes leave the window first.
  for (const { from, to } of spans) {
    if (to - from > surplusMs) return { usedMs, freeAt: from + surplusMs + BUILD_WINDOW_MS }
    surplusMs -= to - from
  }
  return { usedMs, freeAt: now + BUILD_WINDOW_MS }
}
