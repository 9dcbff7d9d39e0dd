import { findQuotas, findStorageRoom, type QuotaStores } from '../../accounts/users/find-quotas.ts'
import type { Config } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { User } from '../../domain/types.ts'

/** How large a commit or download may be. */
export interface SizeLimit {
  readonly maxBytes: number
  /** What a larger one exceeds, for the user: `the limit of 1 GB`. */
  readonly name: string
}

/** The lower one of the limits of the host and of the owner's storage; null if the storage quota is used up. */
export async function findSizeLimit(
  stores: QuotaStores & { readonly config: Pick<Config, 'maxPushBytes'> },
  owner: User,
): Promise<SizeLimit | null> {
  const { maxPushBytes } = stores.config
  const [room, { storageBytes }] = await Promise.all([findStorageRoom(stores, owner.id), findQuotas(stores, owner.id)])
  if (room === null) return null
  if (room >= maxPushBytes) return { maxBytes: maxPushBytes, name: `the limit of ${formatBytes(maxPushBytes)}` }
  const left = `${formatBytes(room)} of ${formatBytes(storageBytes)} are left`
  return { maxBytes: room, name: `the storage quota of ${owner.login}: ${left}` }
}
