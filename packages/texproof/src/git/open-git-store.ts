/** The interface to the repositories on disk. Other folders use only this file and the types. */
import { access, mkdir, stat } from 'node:fs/promises'

import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'

import { whenAbsent } from '../base/absent.ts'
import { compareUtf8 } from '../domain/text/compare-utf8.ts'
import { isBranchName, refuseRefName } from '../domain/git/ref-names.ts'
import { createRefReader } from './refs/create-ref-reader.ts'
import { createRepository } from './admin/create-repository.ts'
import { importCommits } from './write/import-commits.ts'
import { refuseDamaged } from './objects/damaged-object.ts'
import { listFiles } from './objects/list-files.ts'
import { findInFolder, listFolder, maxListedEntries } from './objects/list-folder.ts'
import { changeRefs } from './refs/change-refs.ts'
import { createMaintenance } from './admin/maintain-repository.ts'
import { measureRepository } from './admin/measure-repository.ts'
import { fetchRemote, takeFetched } from './protocol/fetch-remote.ts'
import { createTagObject } from './write/create-tag-object.ts'
import { mergeTexts } from './write/merge-texts.ts'
import { ObjectPool } from './objects/object-pool.ts'
import { openHistory } from './history/open-history.ts'
import { openArchive } from './objects/open-archive.ts'
import { openBlob } from './objects/open-blob.ts'
import { parseCommit } from './objects/parse-commit.ts'
import { isObjectId } from './is-object-id.ts'
import type { StoredTag } from './refs/parse-packed-refs.ts'
import { parseTagNote } from './objects/parse-tag-note.ts'
import { notePurge, watchPurges } from './admin/purge-notes.ts'
import { listUnreachableCommits, purgeRepository } from './admin/purge-repository.ts'
import { pushCommit } from './write/push-commit.ts'
import { readObject } from './objects/read-objects.ts'
import { removeTornRefs } from './refs/remove-torn-refs.ts'
import { findRef, sliceRefs, type RefList } from './refs/ref-list.ts'
import { removeRepository } from './admin/remove-repository.ts'
import { makingFolder, repositoryIdOf, repositoryPath, trashFolder } from './admin/repository-path.ts'
import { runGit } from './process/run-git.ts'
import { createRefAnswers } from './protocol/answer-refs.ts'
import { servePack } from './protocol/serve-pack.ts'
import { defaultSearchPath, takeInterrupted } from './process/spawn-git.ts'
import { sweepRepositories } from './admin/sweep-repositories.ts'
import { findLeftovers, removeStaleLocks } from './refs/stale-locks.ts'
import { usesReftable } from './refs/uses-reftable.ts'
import { readHead, writeHead } from './refs/write-head.ts'
import { createTagPeeler } from './refs/tag-peeler.ts'
import { createIdleCache } from '../base/idle-cache.ts'
import { createLimiter } from '../base/limiter.ts'
import type { Commit, GitStore, Ref, TagNote, TreeEntry } from './types.ts'

/** How to open the store. */
export interface OpenGitStoreOptions {
  /** Absolute path of the folder with all repositories; created if absent. */
  readonly root: string
  /** PATH for git. @default the usual folders */
  readonly searchPath?: string
  readonly log?: Logger
  /** Other servers with the same repositories; null = there are none. @default null */
  readonly others?: OtherServers | null
  /** Called after each step of a creation; a test ends the process there. */
  readonly onStep?: (step: string) => void
}

/** What servers with the same repositories know of each other. */
export interface OtherServers {
  /** Whether another server has an unfinished push of the repository. */
  isWriting(repositoryId: number): Promise<boolean>
  /** Runs maintenance, or the removal of leftovers, unless another server does so; null = it does. */
  maintainAlone<Result>(repositoryId: number, run: () => Promise<Result>): Promise<Result | null>
  /** A number that changes when refs of the repository have moved. */
  readGeneration(repositoryId: number): Promise<number>
}

/** Opens the repositories under `root`. */
export async function openGitStore(options: OpenGitStoreOptions): Promise<GitStore> {
  const { root, searchPath = defaultSearchPath, log, onStep, others = null } = options
  for (const folder of [root, makingFolder(root), trashFolder(root)])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  const pool = new ObjectPool({ searchPath })
  const readGeneration = others && ((dir: string) => others.readGeneration(repositoryIdOf(dir)))
  const refs = createRefReader({ searchPath, readGeneration })
  const tags = createTagPeeler(pool)
  const refAnswers = createRefAnswers({ refs, pool, searchPath })
  const branchArrays = new WeakMap<RefList, readonly Ref[]>()
  // Objects never change, so they are cached by id.
  const folders = createIdleCache<readonly TreeEntry[]>({
    maxSize: maxCachedFolderBytes,
    sizeOf: (entries) => 500 + 200 * entries.length,
  })
  const blobs = createIdleCache<Uint8Array>({
    maxSize: maxCachedBlobsBytes,
    sizeOf: (bytes) => 500 + bytes.byteLength,
  })
  const commits = createIdleCache<Commit>({ maxSize: maxCachedCommitBytes, sizeOf: sizeOfCommit })
  const commitLimiter = createLimiter({ atOnce: 4, maxWaitingPerKey: 32 })
  const history = openHistory({ searchPath })
  const notes = new LRUCache<string, { readonly note: TagNote | null }>({ max: 5_000 })
  const onProblem = (problem: { gitDir: string; command: string; detail: string }): void =>
    log?.warn(problem, 'git maintenance failed')
  const runAlone = others && ((dir: string, run: () => Promise<void>) => others.maintainAlone(repositoryIdOf(dir), run))
  const maintenance = createMaintenance({ searchPath, onProblem, runAlone })
  const gitDir = (repositoryId: number): string => repositoryPath(root, repositoryId)

  function forget(repositoryId: number): void {
    for (const cache of [refs, tags, history]) cache.forget(gitDir(repositoryId))
    for (const cache of [commits, folders, blobs, notes])
      for (const key of cache.keys()) if (key.startsWith(`${repositoryId} `)) cache.delete(key)
  }

  const waitingForSweep = new Set<string>()
  /** On other machines, processes cannot be listed: a lock may be theirs while they push, or maintain the repository. */
  const removeLocks = async (dir: string): Promise<readonly string[]> => {
    const id = repositoryIdOf(dir)
    if (others === null) return removeStaleLocks(dir)
    if (await others.isWriting(id)) return []
    return (await others.maintainAlone(id, () => removeStaleLocks(dir))) ?? []
  }
  const stopWatching = watchPurges(root, (repositoryId) => {
    pool.renew(gitDir(repositoryId))
    forget(repositoryId)
  })

  const interruption = setInterval(() => void sweepInterrupted(), SWEEP_INTERRUPTED_EVERY_MS).unref()

  /**
   * A git process that was killed, by this process or by the kernel, leaves its locks; its children may still be
   * writing.
   */
  async function sweepInterrupted(): Promise<void> {
    try {
      for (const folder of takeInterrupted(root)) waitingForSweep.add(folder)
      for (const folder of waitingForSweep) {
        const removed = await removeLocks(folder)
        if (removed.length > 0) log?.info({ removed }, 'removed the locks of a git that was killed')
        if ((await findLeftovers(folder)).length === 0) waitingForSweep.delete(folder)
      }
    } catch (error) {
      log?.error({ err: error }, 'sweep after a git that was killed')
    }
  }

  async function findCommit(repositoryId: number, commitId: string): Promise<Commit | null> {
    if (!isObjectId(commitId)) return null
    const key = `${repositoryId} ${commitId}`
    const known = commits.get(key)
    if (known !== undefined) return known
    const name = { objectId: commitId, peelTo: null, maxBytes: maxCommitBytes }
    const object = await readObject(pool, gitDir(repositoryId), name)
    const commit = object?.type === 'commit' ? parseCommit(commitId, object.bytes) : null
    if (commit !== null) commits.set(key, commit)
    return commit
  }

  async function listEntries(
    repositoryId: number,
    commitId: string,
    path: string,
  ): Promise<readonly TreeEntry[] | null> {
    if (!isObjectId(commitId)) return null
    const key = `${repositoryId} ${commitId} ${path}`
    const entries = folders.get(key) ?? (await listFolder(pool, gitDir(repositoryId), { commitId, path }))
    if (entries !== null) folders.set(key, entries)
    return entries
  }

  return {
    gitDir,
    findCommit,

    async findCommitByPrefix(repositoryId, prefix) {
      if (!/^[0-9a-f]{7,39}$/.test(prefix)) return null
      const query = { command: 'info', objectId: prefix, peelTo: 'commit' } as const
      const replies = await pool.ask(gitDir(repositoryId), [query])
      refuseDamaged(gitDir(repositoryId), [query], replies)
      const [reply] = replies
      // For git, a ref of this name precedes an object.
      const isFound = reply?.kind === 'object' && reply.objectId.startsWith(prefix)
      return isFound ? findCommit(repositoryId, reply.objectId) : null
    },

    createRepository: (repositoryId, settings) =>
      createRepository(root, repositoryId, onStep === undefined ? settings : { ...settings, onStep }),

    measure: (repositoryId) => measureRepository(gitDir(repositoryId)),

    async removeRepository(repositoryId) {
      await maintenance.cancel(gitDir(repositoryId))
      await removeRepository(root, repositoryId)
      pool.forget(gitDir(repositoryId))
      forget(repositoryId)
    },

    hasRepository: (repositoryId) => access(`${gitDir(repositoryId)}/HEAD`).then(() => true, whenAbsent(false)),

    async listBranches(repositoryId) {
      const { branches } = await refs.readRefs(gitDir(repositoryId))
      const known = branchArrays.get(branches)
      const array = known ?? sliceRefs(branches, 0, branches.length)
      if (known === undefined) branchArrays.set(branches, array)
      return array
    },

    async pageBranches(repositoryId, { offset, limit }) {
      const { branches } = await refs.readRefs(gitDir(repositoryId))
      return { branches: sliceRefs(branches, offset, offset + limit), total: branches.length }
    },

    async findBranch(repositoryId, name) {
      return isBranchName(name) ? findRef((await refs.readRefs(gitDir(repositoryId))).branches, name) : null
    },

    async findRef(repositoryId, ref) {
      const stored = await refs.readRefs(gitDir(repositoryId))
      const [, kind = '', name = ''] = /^refs\/(heads|tags)\/(.+)$/.exec(ref) ?? []
      if (kind === 'heads') return findRef(stored.branches, name)?.commitId ?? null
      return findByName(stored.tags, name)?.objectId ?? null
    },

    async listTags(repositoryId) {
      const stored = await refs.readRefs(gitDir(repositoryId))
      return tags.peelTags(gitDir(repositoryId), stored.tags)
    },

    async findTag(repositoryId, name) {
      const tag = findByName((await refs.readRefs(gitDir(repositoryId))).tags, name)
      return tag === null ? null : tags.peelTag(gitDir(repositoryId), tag)
    },

    async findTagNote(repositoryId, name) {
      const tag = findByName((await refs.readRefs(gitDir(repositoryId))).tags, name)
      if (tag === null) return null
      const key = `${repositoryId} ${tag.objectId}`
      const known = notes.get(key)
      if (known !== undefined) return known.note
      const wanted = { objectId: tag.objectId, peelTo: null, maxBytes: maxCommitBytes }
      const object = await readObject(pool, gitDir(repositoryId), wanted)
      const note = object?.type === 'tag' ? parseTagNote(object.bytes) : null
      notes.set(key, { note })
      return note
    },

    async listCommits(repositoryId, commitId, window) {
      const ids = await history.listCommitIds(gitDir(repositoryId), commitId, window)
      if (ids === null) return null
      const found = await Promise.all(ids.map((id) => findCommit(repositoryId, id)))
      return found.filter((commit) => commit !== null)
    },

    readPatch: (repositoryId, range) => history.readPatch(gitDir(repositoryId), range),
    listChangedPaths: (repositoryId, commitIds) => history.listChangedPaths(gitDir(repositoryId), commitIds),
    readBlame: (repositoryId, file) => history.readBlame(gitDir(repositoryId), file),
    findMergeBase: (repositoryId, commitIds) => history.findMergeBase(gitDir(repositoryId), commitIds),
    async findLastCommits(repositoryId, folder) {
      const ids = await history.findLastCommits(gitDir(repositoryId), folder)
      const found = await Promise.all(
        [...ids].map(async ([name, id]) => [name, await findCommit(repositoryId, id)] as const),
      )
      return new Map(found.flatMap(([name, commit]) => (commit === null ? [] : [[name, commit] as const])))
    },
    searchText: (repositoryId, query) => history.searchText(gitDir(repositoryId), query),

    readFileList: (repositoryId, commitId) => history.readFileList(gitDir(repositoryId), commitId),

    listFolder: listEntries,

    async findEntry(repositoryId, commitId, path) {
      const slash = path.lastIndexOf('/')
      const folder = path.slice(0, Math.max(0, slash))
      const name = path.slice(slash + 1)
      const entries = await listEntries(repositoryId, commitId, folder)
      const entry = entries?.find((each) => each.name === name) ?? null
      if (entry !== null || entries === null || entries.length < maxListedEntries) return entry
      return findInFolder(pool, gitDir(repositoryId), { commitId, path: folder, name })
    },

    async listFiles(repositoryId, commitId, { maxFiles }) {
      return isObjectId(commitId) ? listFiles(pool, gitDir(repositoryId), { commitId, maxFiles }) : null
    },

    async readBlob(repositoryId, objectId, { maxBytes }) {
      if (!isObjectId(objectId)) return null
      const key = `${repositoryId} ${objectId}`
      const known = blobs.get(key)
      if (known !== undefined) return known.byteLength <= maxBytes ? known : null
      const object = await readObject(pool, gitDir(repositoryId), { objectId, peelTo: null, maxBytes })
      if (object?.type !== 'blob') return null
      // Larger blobs would evict all others.
      if (object.bytes.byteLength <= maxCachedBlobBytes) blobs.set(key, object.bytes)
      return object.bytes
    },

    async openBlob(repositoryId, objectId) {
      return isObjectId(objectId) ? openBlob(gitDir(repositoryId), { objectId, pool, searchPath }) : null
    },

    async setDefaultBranch(repositoryId, name) {
      const refusal = refuseRefName(`refs/heads/${name}`)
      if (refusal !== null) throw new Error(`set default branch: ${refusal}`)
      if (!usesReftable(gitDir(repositoryId))) return writeHead(gitDir(repositoryId), name)
      const limits = { timeoutMs: 30_000, maxOutputBytes: 4_096 }
      const args = ['symbolic-ref', 'HEAD', `refs/heads/${name}`]
      const run = await runGit(args, { gitDir: gitDir(repositoryId), searchPath, ...limits })
      const isDone = run.kind === 'exited' && run.exitCode === 0
      if (!isDone) throw new Error('set default branch', { cause: run })
    },

    countDistance: (repositoryId, pair) => history.countDistance(gitDir(repositoryId), pair),
    countCommits: (repositoryId) => history.countCommits(gitDir(repositoryId)),
    changeRefs: (repositoryId, changes) => changeRefs(gitDir(repositoryId), { changes, searchPath, removeLocks }),
    fetchRemote: (remote, options) => fetchRemote(remote, { ...options, searchPath }),
    takeFetched: (repositoryId, dir) => takeFetched(gitDir(repositoryId), dir),
    createTagObject: (repositoryId, tag) => createTagObject(gitDir(repositoryId), { ...tag, searchPath }),
    removeTornRefs: (repositoryId, refs) => removeTornRefs(gitDir(repositoryId), refs),
    openArchive: (repositoryId, archive) => openArchive(gitDir(repositoryId), { ...archive, searchPath }),
    importCommits: (repositoryId, commits) => importCommits(gitDir(repositoryId), commits, { searchPath }),
    pushCommit: (repositoryId, commit) =>
      commitLimiter.run(String(repositoryId), () =>
        pushCommit(gitDir(repositoryId), commit, { makingDir: makingFolder(root), searchPath, removeLocks }),
      ),
    mergeTexts: (versions) => mergeTexts(versions, { makingDir: makingFolder(root), searchPath }),
    advertiseRefs: (repositoryId, options) => refAnswers.advertise(gitDir(repositoryId), options),
    listRefs: (repositoryId, request) => refAnswers.listRefs(gitDir(repositoryId), request),
    servePack: (repositoryId, exchange) => servePack(gitDir(repositoryId), { ...exchange, searchPath }),
    maintain: (repositoryId) => maintenance.maintain(gitDir(repositoryId)),
    listUnreachableCommits: (repositoryId, options = {}) =>
      listUnreachableCommits(gitDir(repositoryId), { ...options, searchPath }),
    async purgeRepository(repositoryId, options = {}) {
      await purgeRepository(gitDir(repositoryId), { ...options, searchPath })
      notePurge(root, repositoryId)
    },
    removeStaleLocks: async (repositoryId) => (await removeLocks(gitDir(repositoryId))).length,
    sweepSoon: (repositoryId) => void waitingForSweep.add(gitDir(repositoryId)),
    async repairHead(repositoryId, branch) {
      const folder = await stat(`${gitDir(repositoryId)}/objects`).catch(whenAbsent(null))
      if (folder === null || (await readHead(gitDir(repositoryId))).kind === 'branch') return false
      await writeHead(gitDir(repositoryId), branch)
      return true
    },
    sweep: (age) => sweepRepositories(root, { ...age, onBusy: (folder) => waitingForSweep.add(folder) }),

    async close() {
      stopWatching()
      clearInterval(interruption)
      await Promise.all([maintenance.close(), pool.close()])
    },
  }
}

function findByName(tags: readonly StoredTag[], name: string): StoredTag | null {
  let low = 0
  let high = tags.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareUtf8(tags[middle]?.name ?? '', name) < 0) low = middle + 1
    else high = middle
  }
  return tags[low]?.name === name ? (tags[low] ?? null) : null
}

function sizeOfCommit(commit: Commit): number {
  return 500 + 2 * commit.message.length + 50 * commit.parentIds.length
}

/** Three times a minute: a lock is removed within a minute after its holder has died. */
const SWEEP_INTERRUPTED_EVERY_MS = 20_000

/** A longer commit is treated as missing: no real commit message has this length. */
const maxCommitBytes = 1024 * 1024

const maxCachedCommitBytes = 16 * 1024 * 1024

const maxCachedFolderBytes = 16 * 1024 * 1024

const maxCachedBlobBytes = 512 * 1024

const maxCachedBlobsBytes = 24 * 1024 * 1024
