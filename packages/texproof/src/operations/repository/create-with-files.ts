import { DiskFull, findDiskRoom } from '../../base/storage-failure.ts'
import { authorName } from '../../domain/git/author-name.ts'
import type { Repository } from '../../domain/types.ts'
import type { FileChange } from '../../git/types.ts'
import type { Config } from '../../config/read-config.ts'
import { findSizeLimit, type SizeLimit } from '../push/find-size-limit.ts'
import type { PushStores } from '../push/push-stores.ts'
import {
  createRepository,
  defaultBranch,
  type CreateRepositoryOutcome,
  type FinishRepository,
  type RepositoryDetails,
} from './create-repository.ts'

/** Dependencies of the creation. */
export interface CreateStores extends PushStores {
  readonly config: Pick<Config, 'dataDir' | 'maxPushBytes' | 'quotas'>
}

/** Why a repository is not created. `problem` is a message for the user. */
export interface CreateRefusal {
  readonly kind: 'refused'
  readonly problem: string
}

/** The files of the first commit. */
export interface FirstFiles {
  readonly changes: readonly FileChange[]
  readonly message: string
}

/**
 * Creates a repository whose first commit has the given files, with the owner as author, and queues its builds like a
 * push. If git refuses the files, there is no repository.
 */
export async function createWithFiles(
  stores: CreateStores,
  details: Omit<RepositoryDetails, 'firstCommit'>,
  first: FirstFiles,
): Promise<CreateRepositoryOutcome | CreateRefusal> {
  const limit = await findSizeLimit(stores, details.owner)
  if (limit === null)
    return { kind: 'refused', problem: 'Your storage quota is used up. Delete a repository, or see Settings, Usage.' }
  if ((await findDiskRoom(stores.config.dataDir)) <= 0) throw new DiskFull('create a repository with files')

  let refusal: string | null = null
  const finish: FinishRepository = async (repositoryId, markReady) => {
    const outcome = await commitFiles(stores, { repositoryId, details, first, limit }, markReady)
    if (typeof outcome !== 'string') return outcome
    refusal = outcome
    throw new Error(`create a repository with files: ${outcome}`)
  }
  try {
    return await createRepository(stores, { ...details, firstCommit: null }, { finish })
  } catch (error) {
    if (refusal === null) throw error
    return { kind: 'refused', problem: `${String(refusal)}. No repository was created.` }
  }
}

/** Commits the files and makes the repository visible. Returns the reason if they are refused. */
async function commitFiles(
  { git, papers }: CreateStores,
  created: {
    readonly repositoryId: number
    readonly details: Omit<RepositoryDetails, 'firstCommit'>
    readonly first: FirstFiles
    readonly limit: SizeLimit
  },
  markReady: () => Promise<Repository>,
): Promise<Repository | string> {
  const { repositoryId, details, first, limit } = created
  const { owner, authorEmail } = details
  const ref = `refs/heads/${defaultBranch}`
  let repository: Repository | null = null
  const pushed = await git.pushCommit(repositoryId, {
    ref,
    from: null,
    parentId: null,
    ...first,
    author: { name: authorName(owner), email: authorEmail, at: Math.floor(Date.now() / 1_000) * 1_000 },
    maxBytes: limit.maxBytes,
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
  if (pushed.kind === 'too-large') return `The files exceed ${limit.name}`
  if (pushed.kind === 'refused') return `Git refused the files: ${pushed.reason}`
  return repository ?? 'Git refused the files: the branch exists already'
}
