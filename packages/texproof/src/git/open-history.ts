/**
 * Questions about history that need a walk, for which git itself is started: what happened to a file, what lies between
 * two commits, who wrote a line. A commit never changes, so every answer is kept by the ids it was asked with.
 */
import { LRUCache } from 'lru-cache'

import { findLastCommits, type FolderOfCommit } from './find-last-commits.ts'
import { findMergeBase } from './find-merge-base.ts'
import { listCommitIds, type HistoryWindow } from './list-commit-ids.ts'
import { isObjectId } from './is-object-id.ts'
import { readBlame, type Blame } from './read-blame.ts'
import { readPatch, type Patch, type PatchRange } from './read-patch.ts'
import { searchText, type FoundText, type TextQuery } from './search-text.ts'
import { takeTurns } from './take-turns.ts'

/** Answers questions about the history of repositories, each given by its folder. */
export interface History {
  listCommitIds(gitDir: string, commitId: string, window: HistoryWindow): Promise<readonly string[] | null>
  readPatch(gitDir: string, range: PatchRange): Promise<Patch>
  readBlame(gitDir: string, file: { readonly commitId: string; readonly path: string }): Promise<Blame>
  findMergeBase(gitDir: string, commitIds: readonly [string, string]): Promise<string | null>
  findLastCommits(gitDir: string, folder: FolderOfCommit): Promise<ReadonlyMap<string, string>>
  searchText(gitDir: string, query: TextQuery): Promise<FoundText>
  /** Drops what is kept of a repository. */
  forget(gitDir: string): void
}

/** Opens the reader; it holds some 100 MiB at most. */
export function openHistory({ searchPath }: { readonly searchPath: string }): History {
  const lists = new LRUCache<string, readonly string[]>({ max: 2_000 })
  const bases = new LRUCache<string, string>({ max: 5_000 })
  const patches = new LRUCache<string, Patch & object>({ maxSize: maxCachedPatchBytes, sizeCalculation: sizeOfPatch })
  const newest = new LRUCache<string, Promise<ReadonlyMap<string, string>>>({ max: 500 })
  // A walk costs a core for up to seconds: readers of one large history wait for each other, not everybody for them.
  const inTurn = takeTurns({ atOnce, waitingPerKey: waitingPerRepository })
  const underWay = new Map<string, Promise<unknown>>()
  const blames = new LRUCache<string, Blame & object>({ maxSize: maxCachedBlameBytes, sizeCalculation: sizeOfBlame })

  /** Walks in turn; who asks the same while git still walks waits for the same walk. */
  function walk<Answer>(key: string, gitDir: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = underWay.get(key) as Promise<Answer> | undefined
    if (known !== undefined) return known
    const walking = inTurn(gitDir, work).finally(() => underWay.delete(key))
    underWay.set(key, walking)
    return walking
  }

  return {
    async listCommitIds(gitDir, commitId, window) {
      const { since, path } = window
      if (!isObjectId(commitId) || (since !== undefined && !isObjectId(since)) || !isPath(path ?? '')) return null
      const key = keyOf(gitDir, 'list', commitId, window)
      return keep(lists, key, () => walk(key, gitDir, () => listCommitIds(gitDir, { commitId, ...window, searchPath })))
    },

    async readPatch(gitDir, range) {
      const { fromCommitId, toCommitId, paths = [] } = range
      const isSound = isObjectId(toCommitId) && (fromCommitId === null || isObjectId(fromCommitId))
      if (!isSound || !paths.every(isPath)) return { kind: 'missing' }
      const key = keyOf(gitDir, 'patch', range)
      const known = patches.get(key)
      if (known !== undefined) return known
      const patch = await walk(key, gitDir, () => readPatch(gitDir, { ...range, searchPath }))
      // What took too long once may be quick when the machine is idle.
      if (patch.kind === 'text') patches.set(key, patch)
      return patch
    },

    async readBlame(gitDir, { commitId, path }) {
      if (!isObjectId(commitId) || !isPath(path)) return { kind: 'missing' }
      const key = keyOf(gitDir, 'blame', commitId, path)
      const known = blames.get(key)
      if (known !== undefined) return known
      const blame = await walk(key, gitDir, () => readBlame(gitDir, { commitId, path, searchPath }))
      if (blame.kind === 'lines') blames.set(key, blame)
      return blame
    },

    async findMergeBase(gitDir, commitIds) {
      if (!commitIds.every(isObjectId)) return null
      const key = keyOf(gitDir, 'base', commitIds)
      return keep(bases, key, () => walk(key, gitDir, () => findMergeBase(gitDir, { commitIds, searchPath })))
    },

    findLastCommits(gitDir, { commitId, path, names }) {
      if (!isObjectId(commitId) || !isPath(path)) return Promise.resolve(new Map())
      const key = keyOf(gitDir, 'newest', commitId, path)
      const found =
        newest.get(key) ?? walk(key, gitDir, () => findLastCommits(gitDir, { commitId, path, names, searchPath }))
      newest.set(key, found)
      found.catch(() => newest.delete(key))
      return found
    },

    async searchText(gitDir, query) {
      if (!isObjectId(query.commitId) || !isPath(query.text)) return { lines: [], isWhole: true }
      const key = keyOf(gitDir, 'text', query)
      return walk(key, gitDir, () => searchText(gitDir, { ...query, searchPath }))
    },

    forget(gitDir) {
      for (const cache of [lists, bases, patches, blames, newest])
        for (const key of cache.keys()) if (key.startsWith(keyOf(gitDir).slice(0, -1))) cache.delete(key)
    },
  }
}

/** Gives what is kept, or finds it and keeps it; a null is not kept. */
async function keep<Value extends object | string>(
  cache: LRUCache<string, Value>,
  key: string,
  find: () => Promise<Value | null>,
): Promise<Value | null> {
  const value = cache.get(key) ?? (await find())
  if (value !== null) cache.set(key, value)
  return value
}

/** No NUL: it would end the argument for git, and no file and no line of text holds one. */
function isPath(text: string): boolean {
  return !text.includes('\0') && text.length <= maxPathLength
}

function keyOf(gitDir: string, ...parts: readonly unknown[]): string {
  return JSON.stringify([gitDir, ...parts])
}

function sizeOfPatch(patch: Patch): number {
  return 500 + (patch.kind === 'text' ? patch.bytes.length + 200 * patch.files.length : 0)
}

function sizeOfBlame(blame: Blame): number {
  if (blame.kind !== 'lines') return 500
  return blame.lines.reduce((sum, { text }) => sum + 150 + 2 * text.length, 500)
}

/** Walks at the same time. */
const atOnce = 4

/** Walks that wait: readers of one repository are never so many, and a crawler can come again. */
const waitingPerRepository = 300

const maxPathLength = 4_096

const maxCachedPatchBytes = 32 * 1024 * 1024

const maxCachedBlameBytes = 32 * 1024 * 1024
