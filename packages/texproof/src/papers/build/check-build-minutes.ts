import type { Config } from '../../config/read-config.ts'
import { BUILD_WINDOW_MS, measureBuildMinutes } from '../../domain/build-minutes.ts'
import { mergeQuotas } from '../../domain/quotas.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Returns why no build of a user's repositories may start, with the time of the next one; null if builds may start. */
export async function checkBuildMinutes(
  { config, store }: { readonly config: Pick<Config, 'quotas'>; readonly store: Pick<Store, 'quotas'> },
  owner: Pick<User, 'id' | 'login'>,
): Promise<string | null> {
  const now = Date.now()
  const [overrides, runs] = await Promise.all([
    store.quotas.findOverrides(owner.id),
    store.quotas.listRuns(owner.id, { since: now - BUILD_WINDOW_MS }),
  ])
  const limitMinutes = mergeQuotas(config.quotas, overrides).buildMinutes
  const { freeAt } = measureBuildMinutes(runs, { now, limitMinutes })
  if (freeAt === null) return null
  const resetsAt = new Date(Math.ceil(freeAt / 60_000) * 60_000).toISOString().slice(0, 16).replace('T', ' ')
  return (
    `Build minutes used up: repositories owned by ${owner.login} used ${limitMinutes} build minutes in 24 hours. ` +
    `Builds resume at ${resetsAt} UTC. Build again or push then.`
  )
}
