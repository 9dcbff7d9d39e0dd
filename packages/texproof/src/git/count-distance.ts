import { LRUCache } from 'lru-cache'

import { isObjectId } from './is-object-id.ts'
import { runGit } from './run-git.ts'

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

const TIMEOUT_MS = 5_000
/** Walks at a time: a page asks about all of its branches at once. */
const CONCURRENCY = 3

/** Makes a counter; what it knows takes some megabytes at most. */
export function createDistanceCounter({ searchPath }: { readonly searchPath: string }): DistanceCounter {
  const known = new LRUCache<string, Distance>({ max: 20_000 })
  const underWay = new Map<string, Promise<Distance | null>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    // Who waits is given the place of the one that ends.
    if (running < CONCURRENCY) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }

  async function walk(gitDir: string, baseId: string, commitId: string): Promise<Distance | null> {
    const args = ['rev-list', '--left-right', '--count', `${baseId}...${commitId}`, '--']
    const run = await runGit(args, { gitDir, searchPath, timeoutMs: TIMEOUT_MS, maxOutputBytes: 256 })
    if (run.kind !== 'exited' || run.exitCode !== 0) return null
    const [behind, ahead] = run.stdout.toString('latin1').trim().split('\t').map(Number)
    return ahead === undefined || behind === undefined ? null : { ahead, behind }
  }

  return {
    async count(gitDir, { baseId, commitId }) {
      if (!isObjectId(baseId) || !isObjectId(commitId)) return null
      if (baseId === commitId) return { ahead: 0, behind: 0 }
      const key = `${gitDir} ${baseId} ${commitId}`
      const answer = known.get(key) ?? underWay.get(key)
      if (answer !== undefined) return answer
      const asked = inTurn(() => walk(gitDir, baseId, commitId)).finally(() => underWay.delete(key))
      underWay.set(key, asked)
      const distance = await asked
      if (distance !== null) known.set(key, distance)
      return distance
    },
  }
}
