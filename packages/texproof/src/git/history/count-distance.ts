import { LRUCache } from 'lru-cache'

import { isObjectId } from '../is-object-id.ts'
import { runGit, type QueryOptions } from '../process/run-git.ts'
import { createCoalescer } from '../../base/coalesce.ts'

/** How far two commits are apart: commits that only the one reaches, and that only the other reaches. */
export interface Distance {
  readonly ahead: number
  readonly behind: number
}

/** Counts distances, each pair of commits once. */
export interface DistanceCounter {
  /** Of `commitId` from `baseId`; null when one of them is missing, or git took too long. */
  count(gitDir: string, ids: { readonly baseId: string; readonly commitId: string }): Promise<Distance | null>
}

/** Makes a counter; what it knows takes some megabytes at most. */
export function createDistanceCounter({ searchPath }: { readonly searchPath: string }): DistanceCounter {
  const known = new LRUCache<string, Distance>({ max: 20_000 })
  const share = createCoalescer({ atOnce, maxWaitingPerKey: Number.POSITIVE_INFINITY })

  return {
    async count(gitDir, { baseId, commitId }) {
      if (!isObjectId(baseId) || !isObjectId(commitId)) return null
      if (baseId === commitId) return { ahead: 0, behind: 0 }
      const key = `${gitDir} ${baseId} ${commitId}`
      const answer = known.get(key)
      if (answer !== undefined) return answer
      const work = (signal: AbortSignal): Promise<Distance | null> =>
        countDistance(gitDir, { baseId, commitId, searchPath, signal })
      const distance = await share({ key, group: gitDir, work })
      if (distance !== null) known.set(key, distance)
      return distance
    },
  }
}

async function countDistance(
  gitDir: string,
  { baseId, commitId, ...how }: QueryOptions & { readonly baseId: string; readonly commitId: string },
): Promise<Distance | null> {
  const args = ['rev-list', '--left-right', '--count', `${baseId}...${commitId}`, '--']
  const run = await runGit(args, { gitDir, ...how, timeoutMs, maxOutputBytes: 256 })
  if (run.kind !== 'exited' || run.exitCode !== 0) return null
  const [behind, ahead] = run.stdout.toString('latin1').trim().split('\t').map(Number)
  return ahead === undefined || behind === undefined ? null : { ahead, behind }
}

const timeoutMs = 5_000

/** Walks at a time: a page asks about all of its branches at once. */
const atOnce = 3
