import { setImmediate as nextTurn } from 'node:timers/promises'

import type { GitStore } from '../../git/types.ts'
import type { Store } from '../../store/store.ts'

/**
 * Ends the builds of branches and tags that git no longer has, so that retention treats them like other builds: without
 * a successor, the newest of each would never be deleted. Builds of branches that can be restored stay.
 *
 * @throws AggregateError after the other repositories.
 */
export async function endDeletedRefs(
  deps: { readonly store: Store; readonly git: GitStore },
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const failures: unknown[] = []
  for (const repositoryId of await deps.store.builds.listRepositoriesWithOld({ before: now })) {
    if (signal.aborted) return
    try {
      await endInRepository(repositoryId, deps)
    } catch (error) {
      // A damaged repository must not keep the others.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `end deleted refs of ${failures.length} repositories`)
}

async function endInRepository(
  repositoryId: number,
  { store, git }: { readonly store: Store; readonly git: GitStore },
): Promise<void> {
  // On a disk that is not mounted, no branch has been deleted.
  if (!(await git.hasRepository(repositoryId))) return
  const listRestorable = async (): Promise<readonly string[]> => {
    const branches = await store.deletedBranches.listOfRepository(repositoryId, { since: 0 })
    return branches.map(({ name }) => `refs/heads/${name}`)
  }
  const lastIds = await store.builds.listLastIds(repositoryId)
  // Before and after the refs: a branch may be restored or deleted meanwhile. Builds of one that is created are newer.
  const before = await listRestorable()
  const current = await git.findRefs(repositoryId, lastIds.keys())
  const kept = new Set([...before, ...current.keys(), ...(await listRestorable())])
  // Builds requested for a commit have its id as their ref.
  const ended = [...lastIds].filter(([ref]) => ref.startsWith('refs/') && !kept.has(ref))
  for (const [ref, id] of ended) {
    await store.builds.endBranch({ id, repositoryId, ref })
    await nextTurn() // With SQLite, thousands of changes would be a single turn of the event loop.
  }
}
