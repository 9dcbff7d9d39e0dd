import type { Config } from '../../config/read-config.ts'
import { BUILD_WINDOW_MS, measureBuildMinutes } from '../../domain/build-minutes.ts'
import { mergeQuotas, type Quotas } from '../../domain/quotas.ts'
import type { Store } from '../../store/store.ts'

export interface QuotaStores {
  readonly config: Pick<Config, 'quotas'>
  readonly store: Pick<Store, 'quotas'>
}

/** Usage of a user, in the units of `Quotas`, and when builds may run again. */
export interface QuotaUse {
  readonly limits: Quotas
  readonly repositories: number
  readonly storageBytes: number
  readonly buildMs: number
  /** Epoch milliseconds; null = now. */
  readonly buildsFreeAt: number | null
}

/** The limits of a user. */
export async function findQuotas({ config, store }: QuotaStores, userId: string): Promise<Quotas> {
  return mergeQuotas(config.quotas, await store.quotas.findOverrides(userId))
}

/** The limits of a user, and their usage. */
export async function findQuotaUse(stores: QuotaStores, userId: string): Promise<QuotaUse> {
  const now = Date.now()
  const [limits, owned, runs] = await Promise.all([
    findQuotas(stores, userId),
    stores.store.quotas.measureOwned(userId),
    stores.store.quotas.listRuns(userId, { since: now - BUILD_WINDOW_MS }),
  ])
  const builds = measureBuildMinutes(runs, { now, limitMinutes: limits.buildMinutes })
  return {
    limits,
    repositories: owned.repositoryCount,
    storageBytes: owned.sizeBytes,
    buildMs: builds.usedMs,
    buildsFreeAt: builds.freeAt,
  }
}

/** Bytes by which a user's repositories may still grow; null = the storage is used up. */
export async function findStorageRoom(stores: QuotaStores, userId: string): Promise<number | null> {
  const [limits, owned] = await Promise.all([findQuotas(stores, userId), stores.store.quotas.measureOwned(userId)])
  const room = limits.storageBytes - owned.sizeBytes
  return room > 0 ? room : null
}
