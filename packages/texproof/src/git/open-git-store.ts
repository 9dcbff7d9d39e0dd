/** The interface to the repositories on disk. Other folders use only this file and the types. */
import { access, mkdir } from 'node:fs/promises'

import type { Logger } from 'pino'

import { whenAbsent } from '../base/absent.ts'
import { createRefReader } from './refs/create-ref-reader.ts'
import { createRepository } from './admin/create-repository.ts'
import { importCommits } from './write/import-commits.ts'
import { changeRefs } from './refs/change-refs.ts'
import { createMaintenance } from './admin/maintain-repository.ts'
import { measureRepository } from './admin/measure-repository.ts'
import { fetchRemote, takeFetched } from './protocol/fetch-remote.ts'
import { createTagObject } from './write/create-tag-object.ts'
import { mergeTexts } from './write/merge-texts.ts'
import { ObjectPool } from './objects/object-pool.ts'
import { openHistory } from './history/open-history.ts'
import { openObjects } from './objects/open-objects.ts'
import { openArchive } from './objects/open-archive.ts'
import { notePurge, watchPurges } from './admin/purge-notes.ts'
import { listUnreachableCommits, purgeRepository, requirePurgeRoom } from './admin/purge-repository.ts'
import { pushCommit } from './write/push-commit.ts'
import { createRefLookups } from './refs/ref-lookups.ts'
import { startLockSweeper } from './refs/lock-sweeper.ts'
import { revertTornRefs } from './refs/revert-torn-refs.ts'
import { removeRepository } from './admin/remove-repository.ts'
import { makingFolder, repositoryIdOf, repositoryPath, trashFolder } from './admin/repository-path.ts'
import { createRefAnswers } from './protocol/answer-refs.ts'
import { servePack } from './protocol/serve-pack.ts'
import { defaultSearchPath } from './process/spawn-git.ts'
import { sweepRepositories } from './admin/sweep-repositories.ts'
import { removeStaleLocks } from './refs/stale-locks.ts'
import { repairHead, setDefaultBranch } from './refs/default-branch.ts'
import { createTagPeeler } from './refs/tag-peeler.ts'
import { createLimiter } from '../base/limiter.ts'
import type { GitStore } from './types.ts'

/** Options of the store. */
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

/** Coordination with other servers that use the same repositories. */
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
  const gitDir = (repositoryId: number): string => repositoryPath(root, repositoryId)
  const pool = new ObjectPool({ searchPath })
  const readGeneration = others && ((dir: string) => others.readGeneration(repositoryIdOf(dir)))
  const refs = createRefReader({ searchPath, readGeneration })
  const tags = createTagPeeler(pool)
  const refAnswers = createRefAnswers({ refs, pool, searchPath })
  const lookups = createRefLookups({ refs, tags, gitDir })
  const objects = openObjects({ pool, searchPath, gitDir })
  const composing = createLimiter({ atOnce: 4, maxWaitingPerKey: 32 })
  // Nothing is refused here: these commits are composed already, and may hold the lock of their repository.
  const pushing = createLimiter({ atOnce: 4 })
  const history = openHistory({ searchPath })
  const onProblem = (problem: { gitDir: string; command: string; detail: string }): void =>
    log?.warn(problem, 'git maintenance failed')
  const runAlone = others && ((dir: string, run: () => Promise<void>) => others.maintainAlone(repositoryIdOf(dir), run))
  const maintenance = createMaintenance({ searchPath, onProblem, runAlone })

  function forget(repositoryId: number): void {
    for (const cache of [refs, tags, history]) cache.forget(gitDir(repositoryId))
    objects.forget(repositoryId)
  }

  /** On other machines, processes cannot be listed: a lock may be theirs while they push, or maintain the repository. */
  const removeLocks = async (dir: string): Promise<readonly string[]> => {
    const id = repositoryIdOf(dir)
    if (others === null) return removeStaleLocks(dir)
    if (await others.isWriting(id)) return []
    return (await others.maintainAlone(id, () => removeStaleLocks(dir))) ?? []
  }
  const sweeper = startLockSweeper({ root, removeLocks, log })
  const stopWatching = watchPurges(root, (repositoryId) => {
    pool.renew(gitDir(repositoryId))
    forget(repositoryId)
    // A purge that was interrupted leaves a partial pack, which can be as large as the repository.
    sweeper.sweepSoon(gitDir(repositoryId))
  })

  return {
    gitDir,
    ...lookups,
    ...objects,
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

    async findTagNote(repositoryId, name) {
      const objectId = await lookups.findTagObject(repositoryId, name)
      return objectId === null ? null : objects.readTagNote(repositoryId, objectId)
    },

    async listCommits(repositoryId, commitId, window) {
      const ids = await history.listCommitIds(gitDir(repositoryId), commitId, window)
      if (ids === null) return null
      const found = await Promise.all(ids.map((id) => objects.findCommit(repositoryId, id)))
      return found.filter((commit) => commit !== null)
    },

    readPatch: (repositoryId, range) => history.readPatch(gitDir(repositoryId), range),
    listChanges: (repositoryId, range) => history.listChanges(gitDir(repositoryId), range),
    listChangedPaths: (repositoryId, commitIds) => history.listChangedPaths(gitDir(repositoryId), commitIds),
    readBlame: (repositoryId, file) => history.readBlame(gitDir(repositoryId), file),
    findMergeBase: (repositoryId, commitIds) => history.findMergeBase(gitDir(repositoryId), commitIds),
    async findLastCommits(repositoryId, folder, patience = {}) {
      const { byName } = await history.findLastCommits(gitDir(repositoryId), folder, patience)
      const found = await Promise.all(
        [...byName].map(async ([name, id]) => [name, await objects.findCommit(repositoryId, id)] as const),
      )
      return new Map(found.flatMap(([name, commit]) => (commit === null ? [] : [[name, commit] as const])))
    },
    countDistance: (repositoryId, pair) => history.countDistance(gitDir(repositoryId), pair),
    countCommits: (repositoryId) => history.countCommits(gitDir(repositoryId)),
    searchText: (repositoryId, query) => history.searchText(gitDir(repositoryId), query),

    readFileList: (repositoryId, commitId) => history.readFileList(gitDir(repositoryId), commitId),

    setDefaultBranch: (repositoryId, name) => setDefaultBranch(gitDir(repositoryId), name, { searchPath }),
    changeRefs: (repositoryId, changes) => changeRefs(gitDir(repositoryId), { changes, searchPath, removeLocks }),
    fetchRemote: (remote, options) => fetchRemote(remote, { ...options, searchPath }),
    takeFetched: (repositoryId, dir) => takeFetched(gitDir(repositoryId), dir),
    createTagObject: (repositoryId, tag) => createTagObject(gitDir(repositoryId), { ...tag, searchPath }),
    revertTornRefs: (repositoryId, moves) => revertTornRefs(gitDir(repositoryId), { moves, searchPath }),
    openArchive: (repositoryId, archive) => openArchive(gitDir(repositoryId), { ...archive, searchPath }),
    importCommits: (repositoryId, commits) => importCommits(gitDir(repositoryId), commits, { searchPath }),
    pushCommit: (repositoryId, commit) =>
      pushCommit(gitDir(repositoryId), commit, {
        makingDir: makingFolder(root),
        searchPath,
        removeLocks,
        // The limits cover only the commit: post-receive can take many seconds, and would delay all other commits.
        limits: {
          compose: (step) => composing.run(String(repositoryId), step),
          push: (step) => pushing.run(String(repositoryId), step),
        },
      }),
    mergeTexts: (versions) => mergeTexts(versions, { makingDir: makingFolder(root), searchPath }),
    advertiseRefs: (repositoryId, options) => refAnswers.advertise(gitDir(repositoryId), options),
    listRefs: (repositoryId, request) => refAnswers.listRefs(gitDir(repositoryId), request),
    servePack: (repositoryId, exchange) => servePack(gitDir(repositoryId), { ...exchange, searchPath }),
    maintain: (repositoryId) => maintenance.maintain(gitDir(repositoryId)),
    listUnreachableCommits: (repositoryId, options = {}) =>
      listUnreachableCommits(gitDir(repositoryId), { ...options, searchPath }),
    requirePurgeRoom: (repositoryId, options = {}) =>
      requirePurgeRoom(gitDir(repositoryId), { ...options, searchPath }),
    async purgeRepository(repositoryId, options = {}) {
      try {
        await purgeRepository(gitDir(repositoryId), { ...options, searchPath })
      } finally {
        notePurge(root, repositoryId)
      }
    },
    removeStaleLocks: async (repositoryId) => (await removeLocks(gitDir(repositoryId))).length,
    sweepSoon: (repositoryId) => sweeper.sweepSoon(gitDir(repositoryId)),
    repairHead: (repositoryId, branch) => repairHead(gitDir(repositoryId), branch),
    sweep: (age) => sweepRepositories(root, { ...age, onBusy: (folder) => sweeper.sweepSoon(folder) }),

    async close() {
      stopWatching()
      sweeper.close()
      await Promise.all([maintenance.close(), pool.close()])
    },
  }
}
