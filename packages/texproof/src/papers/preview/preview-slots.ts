import { setTimeout as delay } from 'node:timers/promises'

/** How often a preview checks whether a build needs its slot. */
const LOOK_EVERY_MS = 100

/** Slots that previews share with builds, which go first. */
export interface PreviewSlots {
  /**
   * Runs when no build needs the slot, and again from the beginning if one has needed it meanwhile. Null if `signal` was
   * aborted.
   */
  run<Result>(signal: AbortSignal, act: (signal: AbortSignal) => Promise<Result>): Promise<Result | null>
}

/** `countBuilds` = builds that run or wait. */
export function createPreviewSlots(count: number, countBuilds: () => number): PreviewSlots {
  let compiling = 0

  /** Null if it has to stop before its end. */
  async function runOnce<Result>(
    signal: AbortSignal,
    act: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result | null> {
    const yielded = new AbortController()
    const look = setInterval(() => {
      if (compiling + countBuilds() > count) yielded.abort()
    }, LOOK_EVERY_MS)
    compiling += 1
    try {
      return await act(AbortSignal.any([signal, yielded.signal]))
    } catch (error) {
      if (signal.aborted || yielded.signal.aborted) return null
      throw error
    } finally {
      compiling -= 1
      clearInterval(look)
    }
  }

  return {
    async run(signal, act) {
      for (;;) {
        while (!signal.aborted && compiling + countBuilds() >= count)
          // Rejects only when the preview is cancelled, which the loop detects.
          await delay(LOOK_EVERY_MS, null, { signal }).catch(() => null)
        if (signal.aborted) return null
        const result = await runOnce(signal, act)
        if (result !== null || signal.aborted) return result
      }
    },
  }
}
