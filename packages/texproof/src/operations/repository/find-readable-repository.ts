import { permissionOf } from '../../domain/access.ts'
import type { GrantedPermission } from '../../domain/access.ts'
import type { Caller, Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** A request for a repository: its address and the caller. */
export interface RepositoryRequest {
  readonly caller: Caller | null
  readonly owner: string
  /** Name without `.git`. */
  readonly name: string
}

/** A repository that the caller may read, and the caller's permission. */
export interface AccessibleRepository {
  readonly repository: Repository
  readonly permission: GrantedPermission
}

/**
 * Finds a repository by its address; null if it does not exist or is hidden from the caller. Surfaces use no other
 * function for this.
 */
export async function findReadableRepository(
  store: Store,
  request: RepositoryRequest,
): Promise<AccessibleRepository | null> {
  const repository = await store.repositories.findByName(request.owner, request.name)
  if (repository === null) return null
  const collaboration = await findCollaboration(store, request.caller, repository)
  const permission = permissionOf(request.caller, repository, { collaboration })
  return permission === 'none' ? null : { repository, permission }
}

/** Like `findReadableRepository`, for the contents: a disabled repository is open only to its administrators. */
export async function findOpenRepository(
  store: Store,
  request: RepositoryRequest,
): Promise<AccessibleRepository | null> {
  const found = await findReadableRepository(store, request)
  return found !== null && found.repository.isDisabled && found.permission !== 'admin' ? null : found
}

async function findCollaboration(
  store: Store,
  caller: Caller | null,
  repository: Repository,
): Promise<GrantedPermission | null> {
  if (caller === null || caller.user.id === repository.owner.id) return null
  return store.repositories.findCollaboration(repository.id, caller.user.id)
}
