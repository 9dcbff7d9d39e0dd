import { permissionOf } from '../../domain/access.ts'
import type { GrantedPermission } from '../../domain/access.ts'
import type { Caller, Repository } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** A repository as a surface asks for it, by whom and under which address. */
export interface RepositoryRequest {
  readonly caller: Caller | null
  readonly owner: string
  /** Without `.git`. */
  readonly name: string
}

/** A repository that its caller may see, and what more the caller may do with it. */
export interface AccessibleRepository {
  readonly repository: Repository
  readonly permission: GrantedPermission
}

/**
 * The only way in which surfaces find a repository by its address: null if it does not exist,
 * and if the caller may not know that it exists.
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

/** The same for what is in a repository: a disabled one is closed to all but its administrators. */
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
