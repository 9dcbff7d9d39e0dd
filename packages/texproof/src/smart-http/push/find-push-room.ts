import { findDiskRoom } from '../../base/storage-failure.ts'
import { findQuotas, findStorageRoom } from '../../accounts/users/find-quotas.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { User } from '../../domain/types.ts'
import type { RefUpdate } from '../../git/types.ts'
import { HttpRefusal } from '../http-refusal.ts'
import type { PushDeps } from './types.ts'

/** The size limit of a push, and what to say of a larger one. */
export interface PushRoom {
  readonly maxInputBytes: number
  readonly tooLarge: string
}

/**
 * Finds the lowest limit. Pushes that only delete are always allowed.
 *
 * @throws HttpRefusal if the owner's storage quota is used up.
 */
export async function findPushRoom(
  { config, store }: PushDeps,
  { owner, accepted }: { readonly owner: User; readonly accepted: readonly RefUpdate[] },
): Promise<PushRoom> {
  const { maxPushBytes } = config
  const limit = {
    maxInputBytes: maxPushBytes,
    tooLarge: `the push is larger than the limit of ${formatBytes(maxPushBytes)}`,
  }
  if (accepted.every(({ newCommitId }) => newCommitId === null)) return limit
  const diskRoom = await findDiskRoom(config.dataDir)
  if (diskRoom <= 0) throw new HttpRefusal(507, 'the disk of this server is full: contact the administrator')
  const [room, { storageBytes }] = await Promise.all([
    findStorageRoom({ config, store }, owner.id),
    findQuotas({ config, store }, owner.id),
  ])
  const quota = formatBytes(storageBytes)
  if (room === null)
    throw new HttpRefusal(403, `the repositories of ${owner.login} exceed the storage quota of ${quota}`)
  const left = `${formatBytes(room)} of ${quota} are left`
  const limits = [
    limit,
    { maxInputBytes: room, tooLarge: `the push exceeds the storage quota of ${owner.login}: ${left}` },
    {
      maxInputBytes: diskRoom,
      tooLarge: 'the disk of this server is too full for the push: contact the administrator',
    },
  ]
  return limits.reduce((lowest, each) => (each.maxInputBytes < lowest.maxInputBytes ? each : lowest))
}
