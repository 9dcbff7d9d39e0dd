import { setTimeout as delay } from 'node:timers/promises'

import type { Distance } from '../../git/history/rev-list.ts'
import type { GitStore, Ref } from '../../git/types.ts'

/** How long a page waits for distances; the counting continues for the next request. */
const PATIENCE_MS = 120

/** How far each branch is from a commit, by name; unknown distances are omitted. */
export async function findDistances(
  git: Pick<GitStore, 'countDistance'>,
  repositoryId: number,
  { base, branches }: { readonly base: Ref | null; readonly branches: readonly Ref[] },
): Promise<ReadonlyMap<string, Distance>> {
  const found = new Map<string, Distance>()
  if (base === null) return found
  const counting = branches.map(async ({ name, commitId }) => {
    const distance = await git.countDistance(repositoryId, { baseId: base.commitId, commitId })
    if (distance !== null) found.set(name, distance)
  })
  const stop = new AbortController()
  const patience = delay(PATIENCE_MS, null, { signal: stop.signal }).catch(() => null) // aborted: all are known
  await Promise.race([Promise.all(counting), patience])
  stop.abort()
  return new Map(found)
}
