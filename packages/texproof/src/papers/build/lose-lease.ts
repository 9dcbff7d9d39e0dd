import type { BuildLease } from '../../store/builds/build-leases.ts'
import type { Store } from '../../store/store.ts'
import type { BuildEnd } from './build-queue.ts'
import { refuse } from './run-build.ts'

/** A build whose workers are lost this often fails: it may be what ends them. */
const MAX_LOST_LEASES = 3

/**
 * Returns a build whose worker is lost to the queue, or fails it if that happens too often; null if the lease is not held any
 * more. `fault` = what the last worker reported.
 */
export async function loseLease(
  lease: BuildLease,
  { store, fault }: { readonly store: Pick<Store, 'builds' | 'buildLeases'>; readonly fault: string | null },
): Promise<BuildEnd | null> {
  const lostCount = await store.buildLeases.countLost(lease.buildId)
  if (lostCount + 1 < MAX_LOST_LEASES) return (await store.buildLeases.expire(lease)) ? 'again' : null
  const message =
    fault === null
      ? `The build was started ${MAX_LOST_LEASES} times, and each time its worker stopped responding. ` +
        'Build again. If it fails again, ask the administrator to check the worker logs.'
      : `The build was started ${MAX_LOST_LEASES} times without a result. The last worker reported: ${fault}`
  return (await store.builds.finish(lease.buildId, refuse(message), lease)) ? 'over' : null
}
