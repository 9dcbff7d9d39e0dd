import type { GitStore, Ref } from '../../git/types.ts'
import { maxOrderedRefs, orderBranches } from '../shell/repository/order-refs.ts'

/** Filter and page of the branches of a repository. */
export interface BranchPageQuery {
  /** Part of a name, case-insensitive; `''` = all. */
  readonly text: string
  readonly sort: 'name' | 'newest'
  /** 1 = the first. */
  readonly page: number
  readonly perPage: number
  /** The default branch, listed first; null = there is none. */
  readonly base: Ref | null
}

/** Sorting by date reads the newest commit of every branch, so longer lists are sorted by name. */
const MAX_DATED = 1_000

/** One page of the branches. Sorted by name if sorting by date is not possible; by its bytes if there are too many. */
export async function listBranchPage(
  git: Pick<GitStore, 'pageBranches' | 'listBranches' | 'findCommit'>,
  repositoryId: number,
  { text, sort, page, perPage, base }: BranchPageQuery,
): Promise<{ readonly branches: readonly Ref[]; readonly total: number }> {
  const offset = (page - 1) * perPage
  const { branches: stretch, total } = await git.pageBranches(repositoryId, { offset, limit: perPage })
  if (text === '' && total > maxOrderedRefs) {
    const others = stretch.filter(({ name }) => name !== base?.name)
    return { branches: page === 1 && base !== null ? [base, ...others] : others, total }
  }
  const wanted = text.toLowerCase()
  const branches = orderBranches(await git.listBranches(repositoryId))
  const found = branches.filter(({ name }) => name.toLowerCase().includes(wanted))
  const sorted = sort === 'name' || found.length > MAX_DATED ? found : await sortByAge(git, repositoryId, found)
  const first = sorted.filter(({ name }) => name === base?.name)
  const all = [...first, ...sorted.filter(({ name }) => name !== base?.name)]
  return { branches: all.slice(offset, offset + perPage), total: all.length }
}

async function sortByAge(
  git: Pick<GitStore, 'findCommit'>,
  repositoryId: number,
  branches: readonly Ref[],
): Promise<readonly Ref[]> {
  const dated = await Promise.all(
    branches.map(async (ref) => {
      const commit = await git.findCommit(repositoryId, ref.commitId)
      return { ref, at: commit?.committer.at ?? 0 }
    }),
  )
  return dated.toSorted((left, right) => right.at - left.at).map(({ ref }) => ref)
}
