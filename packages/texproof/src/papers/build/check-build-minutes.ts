import { LRUCache } from 'lru-cache'

import type { Config } from '../../config/read-config.ts'
import { BUILD_WINDOW_MS, measureBuildMinutes } from '../../domain/build-minutes.ts'
import { mergeQuotas } from '../../domain/quotas.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Thousands of waiting builds of an owner may be refused one after the other. */
const SAME_REFUSAL_MS = 10_000

/** Returns why no build of a user's repositories may start, with the time of the next one; null if builds may start. */
export type CheckBuildMinutes = (owner: Pick<User, 'id' | 'login'>) => Promise<string | null>

/** Creates the check, which runs before every build: it lists the builds of a day only to find the time of the next one. */
export function createBuildMinutesCheck({
  config,
  store,
}: {
  readonly config: Pick<Config, 'quotas'>
  readonly store: Pick<Store, 'quotas'>
}): CheckBuildMinutes {
  const refusals = new LRUCache<string, string>({ max: 1_000, ttl: SAME_REFUSAL_MS })

  return async ({ id, login }) => {
    const now = Date.now()
    const since = now - BUILD_WINDOW_MS
    const limitMinutes = mergeQuotas(config.quotas, await store.quotas.findOverrides(id)).buildMinutes
    const key = `${id} ${limitMinutes}`
    const known = refusals.get(key)
    if (known !== undefined) return known
    if ((await store.quotas.measureRuns(id, { since, now })) < limitMinutes * 60_000) return null
    const runs = await store.quotas.listRuns(id, { since })
    const { usedMs, freeAt } = measureBuildMinutes(runs, { now, limitMinutes })
    if (freeAt === null) return null
    const refusal = describeRefusal({ login, usedMs, limitMinutes, freeAt })
    refusals.set(key, refusal, { ttl: Math.max(1, Math.min(SAME_REFUSAL_MS, freeAt - now)) })
    return refusal
  }
}

function describeRefusal({
  login,
  usedMs,
  limitMinutes,
  freeAt,
}: {
  readonly login: string
  readonly usedMs: number
  readonly limitMinutes: number
  readonly freeAt: number
}): string {
  const used =
    `Build minutes used up: repositories owned by ${login} used ${Math.floor(usedMs / 60_000)} in 24 hours, ` +
    `and the limit is ${limitMinutes}.`
  // No build that ends frees minutes.
  if (limitMinutes === 0) return `${used} Ask an administrator for build minutes.`
  const resetsAt = new Date(Math.ceil(freeAt / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  return `${used} Builds resume at ${resetsAt} UTC. Build again or push then.`
}
