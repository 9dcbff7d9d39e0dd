import type { Repository } from '../domain/types.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'

/**
 * Makes database and git name the same default branch again, one that is there: a crash may have come between the two
 * when somebody chose another, or before the first push had chosen one. Gives the repository as it is then.
 */
export async function recoverDefaultBranch(
  { git, store }: { readonly git: GitStore; readonly store: Store },
  repository: Repository,
): Promise<Repository> {
  const names = (await git.listBranches(repository.id)).map(({ name }) => name)
  const defaultBranch = [repository.defaultBranch, 'main', 'master', ...names].find((name) => names.includes(name))
  if (defaultBranch === undefined) return repository
  await git.setDefaultBranch(repository.id, defaultBranch)
  if (defaultBranch === repository.defaultBranch) return repository
  await store.repositories.change(repository.id, { defaultBranch })
  return { ...repository, defaultBranch }
}
