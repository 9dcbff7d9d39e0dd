/**
 * Queries that walk the history and therefore start git: the commits of a file, the diff between two commits, the
 * author of a line. A commit never changes, so results are cached by the ids of the query. The caches are bounded by
 * size, not by count: results range from one line to megabytes.
 */
import { LRUCache } from 'lru-cache'

import { createCoalescer } from '../../base/coalesce.ts'
import { createIdleCache } from '../../base/idle-cache.ts'
import { isObjectId } from '../is-object-id.ts'
import { readFileList } from '../objects/read-file-list.ts'
import type { QueryOptions } from '../process/run-git.ts'
import { findLastCommits, type FolderOfCommit, type LastCommits } from './find-last-commits.ts'
import { listChangedPaths, type ChangedPaths } from './list-changed-paths.ts'
import { listChanges, type ChangeRange, type ListedChange } from './list-changes.ts'
import { readBlame, type Blame } from './read-blame.ts'
import { readPatch, type Patch, type PatchRange } from './read-patch.ts'
import {
  countCommits,
  countDistance,
  findMergeBase,
  listCommitIds,
  type CommitPair,
  type Distance,
  type HistoryWindow,
} from './rev-list.ts'
import { searchText, type FoundText, type TextQuery } from './search-text.ts'

/** How long a query may take before it returns what is known, while the search continues for the next query. */
export interface Patience {
  /** @default unlimited */
  readonly patienceMs?: number
}

/** History queries, each for the git directory of a repository. */
export interface History {
  listCommitIds(gitDir: string, commitId: string, window: HistoryWindow): Promise<readonly string[] | null>
  readPatch(gitDir: string, range: PatchRange): Promise<Patch>
  listChangedPaths(gitDir: string, commitIds: readonly string[]): Promise<ReadonlyMap<string, ChangedPaths>>
  listChanges(gitDir: string, range: ChangeRange): Promise<readonly ListedChange[] | null>
  readBlame(gitDir: string, file: { readonly commitId: string; readonly path: string }): Promise<Blame>
  findMergeBase(gitDir: string, commitIds: readonly [string, string]): Promise<string | null>
  findLastCommits(gitDir: string, folder: FolderOfCommit, patience: Patience): Promise<LastCommits>
  readFileList(gitDir: string, commitId: string): Promise<Uint8Array | null>
  searchText(gitDir: string, query: TextQuery): Promise<FoundText>
  countCommits(gitDir: string): Promise<number | null>
  countDistance(gitDir: string, pair: CommitPair): Promise<Distance | null>
  /** Removes a repository from the caches. */
  forget(gitDir: string): void
}

/** Opens the queries. Their caches take up to about 80 MiB. */
export function openHistory({ searchPath }: { readonly searchPath: string }): History {
  const lists = createIdleCache<readonly string[]>({ maxSize: 8 * MIB, sizeOf: sizeOfList })
  // Not `max`, which allocates memory for all keys at once: a part of each start.
  const bases = new LRUCache<string, string>({ maxSize: 5_000, sizeCalculation: () => 1 })
  const distances = new LRUCache<string, Distance>({ maxSize: 20_000, sizeCalculation: () => 1 })
  const patches = createIdleCache<Patch & object>({ maxSize: 16 * MIB, sizeOf: sizeOfPatch })
  const newest = createIdleCache<LastCommits>({ maxSize: 8 * MIB, sizeOf: sizeOfNewest })
  /** Results so far of the running searches, by key. */
  const searches = new Map<string, Map<string, string>>()
  const blames = createIdleCache<Blame & object>({ maxSize: 16 * MIB, sizeOf: sizeOfBlame })
  const fileLists = createIdleCache<Uint8Array>({
    maxSize: 24 * MIB,
    sizeOf: (list) => 500 + list.byteLength,
  })
  // Queries on one large history wait for each other without delaying other repositories.
  const share = createCoalescer({ atOnce, maxWaitingPerKey: waitingPerRepository })
  // A page queries all of its branches at once.
  const shareDistance = createCoalescer({ atOnce: distancesAtOnce })

  function walk<Answer>(key: string, gitDir: string, work: (how: QueryOptions) => Promise<Answer>): Promise<Answer> {
    return share({ key, group: gitDir, work: (signal) => work({ searchPath, signal }) })
  }

  return {
    async listCommitIds(gitDir, commitId, window) {
      const { since, path } = window
      if (!isObjectId(commitId) || (since !== undefined && !isObjectId(since)) || !isPath(path ?? '')) return null
      const key = keyOf(gitDir, 'list', commitId, window)
      return keep(lists, key, () => walk(key, gitDir, (how) => listCommitIds(gitDir, { commitId, ...window, ...how })))
    },

    async readPatch(gitDir, range) {
      const { fromCommitId, toCommitId, paths = [] } = range
      const isSound = isObjectId(toCommitId) && (fromCommitId === null || isObjectId(fromCommitId))
      if (!isSound || !paths.every(isPath)) return { kind: 'missing' }
      const key = keyOf(gitDir, 'patch', range)
      return keep(patches, key, () => walk(key, gitDir, (how) => readPatch(gitDir, { ...range, ...how })), isFinal)
    },

    async listChangedPaths(gitDir, commitIds) {
      if (!commitIds.every(isObjectId)) return new Map()
      return walk(keyOf(gitDir, 'paths', commitIds), gitDir, (how) => listChangedPaths(gitDir, { commitIds, ...how }))
    },

    async listChanges(gitDir, range) {
      const { fromCommitId, toCommitId, path } = range
      if (!isObjectId(fromCommitId) || !isObjectId(toCommitId) || !isPath(path)) return null
      return walk(keyOf(gitDir, 'changes', range), gitDir, (how) => listChanges(gitDir, { ...range, ...how }))
    },

    async readBlame(gitDir, { commitId, path }) {
      if (!isObjectId(commitId) || !isPath(path)) return { kind: 'missing' }
      const key = keyOf(gitDir, 'blame', commitId, path)
      return keep(blames, key, () => walk(key, gitDir, (how) => readBlame(gitDir, { commitId, path, ...how })), isText)
    },

    async findMergeBase(gitDir, commitIds) {
      if (!commitIds.every(isObjectId)) return null
      const key = keyOf(gitDir, 'base', commitIds)
      return keep(bases, key, () => walk(key, gitDir, (how) => findMergeBase(gitDir, { commitIds, ...how })))
    },

    async findLastCommits(gitDir, folder, { patienceMs }) {
      const { commitId, path } = folder
      if (!isObjectId(commitId) || !isPath(path)) return { byName: new Map(), isWhole: true }
      const key = keyOf(gitDir, 'newest', commitId, path)
      const search = async (how: QueryOptions): Promise<LastCommits> => {
        const found = new Map<string, string>()
        searches.set(key, found)
        return findLastCommits(gitDir, { ...folder, found, ...how }).finally(() => searches.delete(key))
      }
      const finding = keep(
        newest,
        key,
        () => walk(key, gitDir, search),
        ({ isWhole }) => isWhole,
      )
      if (patienceMs === undefined) return finding
      return (await waitAtMost(patienceMs, finding)) ?? { byName: new Map(searches.get(key)), isWhole: false }
    },

    async readFileList(gitDir, commitId) {
      if (!isObjectId(commitId)) return null
      const key = keyOf(gitDir, 'files', commitId)
      return keep(fileLists, key, () => walk(key, gitDir, (how) => readFileList(gitDir, { commitId, ...how })))
    },

    async searchText(gitDir, query) {
      if (!isObjectId(query.commitId) || !isPath(query.text)) return { lines: [], isWhole: true }
      const key = keyOf(gitDir, 'text', query)
      return walk(key, gitDir, (how) => searchText(gitDir, { ...query, ...how }))
    },

    countCommits: (gitDir) => walk(keyOf(gitDir, 'count'), gitDir, (how) => countCommits(gitDir, how)),

    async countDistance(gitDir, { baseId, commitId }) {
      if (!isObjectId(baseId) || !isObjectId(commitId)) return null
      if (baseId === commitId) return { ahead: 0, behind: 0 }
      const key = keyOf(gitDir, 'distance', baseId, commitId)
      const work = (signal: AbortSignal) => countDistance(gitDir, { baseId, commitId, searchPath, signal })
      return keep(distances, key, () => shareDistance({ key, group: gitDir, work }))
    },

    forget(gitDir) {
      for (const cache of [lists, bases, patches, blames, newest, fileLists])
        for (const key of cache.keys()) if (key.startsWith(keyOf(gitDir).slice(0, -1))) cache.delete(key)
    },
  }
}

/** Returns the cached result, or computes it. Timeouts are not cached, because a later query may be faster. */
async function keep<Value extends object | string, Answer extends Value | null>(
  cache: LRUCache<string, Value>,
  key: string,
  find: () => Promise<Answer>,
  isWorthKeeping: (answer: Answer) => boolean = (answer) => answer !== null,
): Promise<Answer | Value> {
  const known = cache.get(key)
  if (known !== undefined) return known
  const answer = await find()
  if (answer !== null && isWorthKeeping(answer)) cache.set(key, answer)
  return answer
}

/** The result if it arrives in time, otherwise null; the work continues, and a later failure of it is ignored. */
async function waitAtMost<Result>(patienceMs: number, work: Promise<Result>): Promise<Result | null> {
  const { promise: tooLate, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), patienceMs)
  try {
    return await Promise.race([work, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** A commit never changes, so a change with too many files always has too many. */
function isFinal({ kind }: Patch): boolean {
  return kind === 'text' || kind === 'too-large'
}

function isText({ kind }: Blame): boolean {
  return kind === 'text'
}

/** No NUL: it would end the argument for git, and no path and no line of text contains one. */
function isPath(text: string): boolean {
  return !text.includes('\0') && text.length <= maxPathLength
}

function keyOf(gitDir: string, ...parts: readonly unknown[]): string {
  return JSON.stringify([gitDir, ...parts])
}

function sizeOfList(ids: readonly string[]): number {
  return 500 + 90 * ids.length
}

function sizeOfNewest({ byName }: LastCommits): number {
  return 500 + 250 * byName.size
}

function sizeOfPatch(patch: Patch): number {
  return 500 + (patch.kind === 'text' ? patch.bytes.length + 200 * patch.files.length : 0)
}

function sizeOfBlame(blame: Blame): number {
  return 500 + (blame.kind === 'text' ? blame.bytes.length : 0)
}

/** Concurrent queries. */
const atOnce = 4

const distancesAtOnce = 3

/** Queries that wait: no repository has more readers, and a crawler can retry. */
const waitingPerRepository = 300

const maxPathLength = 4_096

const MIB = 1024 * 1024
