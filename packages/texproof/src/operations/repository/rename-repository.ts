import { parseRepositoryName } from '../../domain/names.ts'
import type { Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import type { RepositoryChangeBy } from './change-repository.ts'
import { findOpenRepository } from './find-readable-repository.ts'
import type { RepositoryRequest } from './find-readable-repository.ts'

/** The outcome; `same` = the name did not change, `gone` = the repository was deleted in the meantime. */
export type RenameOutcome = 'renamed' | 'same' | 'invalid' | 'taken' | 'gone'

/** Renames a repository, with the same rules as for a new one. The old name redirects to it. */
export async function renameRepository(
  { store }: { readonly store: Store },
  { repository, actor }: RepositoryChangeBy,
  wanted: string,
): Promise<RenameOutcome> {
  const name = parseRepositoryName(wanted)
  if (name === null) return 'invalid'
  if (name === repository.name) return 'same'
  try {
    if (!(await store.repositories.rename(repository, name))) return 'gone'
  } catch (error) {
    if (error instanceof UniqueViolation) return 'taken'
    throw error
  }
  const { id: userId, login } = repository.owner
  const detail = `${login}/${repository.name} to ${login}/${name}`
  await store.events.add({ kind: 'repository-renamed', userId, actorId: actor.id, detail })
  return 'renamed'
}

/** The repository that had this address before it was renamed, if the caller may read it; else null. */
export async function findMovedRepository(store: Store, request: RepositoryRequest): Promise<Repository | null> {
  const { caller, owner, name } = request
  if ((await store.repositories.findByName(owner, name)) !== null) return null
  const moved = await store.repositories.findByFormerName(owner, name)
  if (moved === null) return null
  const found = await findOpenRepository(store, { caller, owner: moved.owner.login, name: moved.name })
  return found?.repository ?? null
}
