/** Creates a repository from an archive or a folder. */
import { findStorageRoom } from '../../accounts/users/find-quotas.ts'
import type { Parsers, TaskOutcome } from '../../base/open-parsers.ts'
import { DiskFull, findDiskRoom } from '../../base/storage-failure.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Repository } from '../../domain/types.ts'
import type { CommitStores } from '../edit/commit-on-branch.ts'
import {
  createRepository,
  defaultBranch,
  type CreateRepositoryOutcome,
  type FinishRepository,
  type RepositoryDetails,
} from '../repository/create-repository.ts'
import { importLimits } from './archive-limits.ts'
import type { ArchiveSummary, ImportSource, readArchive, summarizeArchive } from './read-archive.ts'

const MODULE = import.meta.resolve('./read-archive.ts')
const READ = defineTask<typeof readArchive>(MODULE, 'readArchive')
const SUMMARIZE = defineTask<typeof summarizeArchive>(MODULE, 'summarizeArchive')

/** Why an archive is not imported. `problem` is a message for the user. */
export interface ImportRefusal {
  readonly kind: 'refused'
  readonly problem: string
}

/** The outcome of an import. */
export type ImportOutcome = CreateRepositoryOutcome | ImportRefusal

/** What an import depends on. */
export interface ImportStores extends CommitStores {
  readonly parsers: Parsers
}

/** Describes an archive without importing it. */
export async function inspectArchive(
  { parsers }: { readonly parsers: Parsers },
  upload: ImportSource,
  ownerId: string,
): Promise<ArchiveSummary | ImportRefusal> {
  const options = { ownerId, timeLimitMs: importLimits.timeMs }
  return settle(await parsers.run(SUMMARIZE, upload, options))
}

/**
 * Creates a repository whose first commit has the files of an archive, with the owner as author, and queues its builds
 * like a push. If the archive or git refuses the files, there is no repository.
 */
export async function importArchive(
  stores: ImportStores,
  details: Omit<RepositoryDetails, 'firstCommit'>,
  upload: ImportSource,
): Promise<ImportOutcome> {
  const { owner } = details
  const options = { ownerId: owner.id, timeLimitMs: importLimits.timeMs }
  const archive = settle(await stores.parsers.run(READ, upload, options))
  if (archive.kind === 'refused') return archive
  const room = await findStorageRoom(stores, owner.id)
  if (room === null) return refuse('Your storage is used up. Delete a repository, or see Settings, Usage.')
  if ((await findDiskRoom(stores.config.dataDir)) <= 0) throw new DiskFull('import an archive')

  let refusal: string | null = null
  const finish: FinishRepository = async (repositoryId, markReady) => {
    const imported = {
      repositoryId,
      files: archive.files,
      details,
      maxBytes: Math.min(stores.config.maxPushBytes, room),
    }
    const outcome = await commitFiles(stores, imported, markReady)
    if (typeof outcome !== 'string') return outcome
    refusal = outcome
    throw new Error(`import an archive: ${outcome}`)
  }
  try {
    return await createRepository(stores, { ...details, firstCommit: null }, { finish })
  } catch (error) {
    if (refusal === null) throw error
    return refuse(`Git refused the files: ${String(refusal)}. No repository was created.`)
  }
}

/** Commits the files and makes the repository visible. Returns the reason as text if git refuses them. */
async function commitFiles(
  { git, papers }: CommitStores,
  imported: {
    readonly repositoryId: number
    readonly files: ReadonlyMap<string, Uint8Array>
    readonly details: Omit<RepositoryDetails, 'firstCommit'>
    readonly maxBytes: number
  },
  markReady: () => Promise<Repository>,
): Promise<Repository | string> {
  const { repositoryId, files, details, maxBytes } = imported
  const { owner, authorEmail } = details
  const ref = `refs/heads/${defaultBranch}`
  let repository: Repository | null = null
  const pushed = await git.pushCommit(repositoryId, {
    ref,
    from: null,
    parentId: null,
    changes: [...files].map(([path, bytes]) => ({ kind: 'write', path, bytes, isExecutable: false })),
    message: 'Import files',
    author: { name: owner.name ?? owner.login, email: authorEmail, at: Math.floor(Date.now() / 1_000) * 1_000 },
    maxBytes,
    around: async (commitId, push) => {
      const updates = [{ ref, oldCommitId: null, newCommitId: commitId }]
      // The journal entry precedes the visible repository: a crash leaves no repository without a build.
      const moved = await papers.moveRefs({ repositoryId, userId: owner.id, updates }, async () => {
        const outcome = await push()
        if (outcome.kind === 'committed') repository = await markReady()
        return outcome
      })
      return moved.outcome
    },
  })
  if (pushed.kind === 'refused') return pushed.reason
  return repository ?? 'the branch exists already'
}

function settle<Result>(outcome: TaskOutcome<Result | ImportRefusal>): Result | ImportRefusal {
  switch (outcome.kind) {
    case 'done':
      return outcome.value
    case 'failed':
      throw new Error('read an archive', { cause: outcome.error })
    case 'timed-out':
      return refuse(
        `The archive takes more than ${importLimits.timeMs / 1_000} s to read. Remove what the document does not need.`,
      )
    case 'out-of-memory':
      return refuse('The archive needs too much memory. Remove what the document does not need.')
    default:
      return refuse('The server is busy. Try again in a moment.')
  }
}

function refuse(problem: string): ImportRefusal {
  return { kind: 'refused', problem }
}
