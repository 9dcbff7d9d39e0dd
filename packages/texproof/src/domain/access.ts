import type { Caller, Permission, Repository } from './types.ts'

/** A permission that includes read access. */
export type GrantedPermission = Exclude<Permission, 'none'>

/** Permissions as pages and the audit log call them. */
export const accessNames: Readonly<Record<GrantedPermission, string>> = {
  pull: 'read',
  push: 'read and write',
  admin: 'admin',
}

/** The permission of a caller on a repository, independent of scopes: those limit what a token permits. */
export function permissionOf(
  caller: Caller | null,
  repository: Repository,
  options: { readonly collaboration: GrantedPermission | null },
): Permission {
  if (caller !== null && caller.user.id === repository.owner.id) return 'admin'
  if (caller !== null && options.collaboration !== null) return options.collaboration
  return repository.visibility === 'public' ? 'pull' : 'none'
}
