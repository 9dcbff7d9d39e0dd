import type { Caller, Permission, Repository } from './types.ts'

/** A permission that lets a repository be seen. */
export type GrantedPermission = Exclude<Permission, 'none'>

/**
 * What a caller may do with a repository. Scopes play no part: they bound what a credential may be used for,
 * this is what its user may do.
 */
export function permissionOf(
  caller: Caller | null,
  repository: Repository,
  options: { readonly collaboration: GrantedPermission | null },
): Permission {
  if (caller !== null && caller.user.id === repository.owner.id) return 'admin'
  if (caller !== null && options.collaboration !== null) return options.collaboration
  return repository.visibility === 'public' ? 'pull' : 'none'
}
