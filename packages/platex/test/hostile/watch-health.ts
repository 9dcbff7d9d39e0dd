import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpTarget } from './hostile-case.ts'

const PAUSE_MS = 100
const MAX_ANSWER_MS = 1500

export interface HealthReport {
  readonly worstMs: number
  readonly problems: readonly string[]
}

/** Polls `/health` until stopped: it must respond within 1.5 s whatever documents do. */
export function watchHealth({ url }: HttpTarget): { readonly stop: () => Promise<HealthReport> } {
  const controller = new AbortController()
  const watching = watch(`${url}/health`, controller.signal)
  return {
    stop: () => {
      controller.abort()
      return watching
    },
  }
}

async function watch(url: string, signal: AbortSignal): Promise<HealthReport> {
  let worstMs = 0
  const problems = new Set<string>()
  while (!signal.aborted) {
    const startedAt = performance.now()
    const isHealthy = await fetch(url).then(
      async (response) => (await response.text()) === '{"status":"ok"}',
      () => false,
    )
    worstMs = Math.max(worstMs, performance.now() - startedAt)
    if (!isHealthy) problems.add('/health did not answer ok')
    // Stopped during the delay, whose end is not awaited.
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
  if (worstMs > MAX_ANSWER_MS) problems.add(`/health took ${Math.round(worstMs)} ms`)
  return { worstMs, problems: [...problems] }
}
