import type { Deps } from '../../../operations/deps.ts'
import type { Repository } from '../../../domain/types.ts'
import type { Paper } from '../../../papers/types.ts'

/** A repository as a list shows it. */
export interface ListedPaper {
  readonly repository: Repository
  /** `unreadable` = the files of the repository are missing on disk. */
  readonly state: 'empty' | 'filled' | 'unreadable'
  /** How the default branch stands; null when nothing of it was ever built. */
  readonly paper: Paper | null
}

/** Looks at the default branch of a repository. What is missing on disk is logged and spoils no list. */
export async function findListedPaper(
  { git, papers, log }: Pick<Deps, 'git' | 'papers' | 'log'>,
  repository: Repository,
): Promise<ListedPaper> {
  const { id, defaultBranch } = repository
  const head = await git.findBranch(id, defaultBranch)
  if (head !== null) {
    const paper = await papers.findPaper(id, {
      ref: `refs/heads/${defaultBranch}`,
      commitId: head.commitId,
      document: null,
    })
    return { repository, state: 'filled', paper }
  }
  if (await git.hasRepository(id)) {
    const { total } = await git.pageBranches(id, { offset: 0, limit: 0 })
    return { repository, state: total === 0 ? 'empty' : 'filled', paper: null }
  }
  log.error({ repositoryId: id }, 'the git directory of a repository is missing')
  return { repository, state: 'unreadable', paper: null }
}
