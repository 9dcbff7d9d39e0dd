import type { Deps } from '../../../operations/deps.ts'
import type { Repository } from '../../../domain/types.ts'
import { findTitle } from '../../content/find-title.ts'
import type { GalleryPaper } from '../../ui/document/paper-gallery.ts'
import type { ListedPaper } from '../../ui/repository-table.ts'
import { unlessDamaged } from './unless-damaged.ts'

/**
 * Papers on the default branches of repositories. If the git directory of a repository is missing, that is logged, and
 * the repository is listed as unreadable.
 */
export function findListedPapers(
  deps: Pick<Deps, 'git' | 'papers' | 'log'>,
  repositories: readonly Repository[],
): Promise<readonly ListedPaper[]> {
  return Promise.all(repositories.map((repository) => findListedPaper(deps, repository)))
}

/** Like `findListedPapers`, with the titles of the papers. */
export function findGalleryPapers(
  deps: Pick<Deps, 'git' | 'parsers' | 'papers' | 'log'>,
  repositories: readonly Repository[],
): Promise<readonly GalleryPaper[]> {
  return Promise.all(
    repositories.map(async (repository) => {
      const { paper } = await findListedPaper(deps, repository)
      const build = paper?.cover ?? null
      const readTitle = async () => (build === null ? null : findTitle(deps, repository, build))
      const title = await unlessDamaged(readTitle, { log: deps.log, repository, fallback: null })
      return { repository, paper, title }
    }),
  )
}

/** A damaged repository is listed as unreadable, so that the other repositories remain available. */
function findListedPaper(deps: Pick<Deps, 'git' | 'papers' | 'log'>, repository: Repository): Promise<ListedPaper> {
  const fallback = { repository, state: 'unreadable', paper: null } as const
  return unlessDamaged(() => readListedPaper(deps, repository), { log: deps.log, repository, fallback })
}

async function readListedPaper(
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
