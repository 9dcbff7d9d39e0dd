import type { GrantedPermission } from '../../domain/access.ts'
import type { Repository } from '../../domain/types.ts'
import type { PublicUrls } from './public-urls.ts'
import { rememberedJson } from './remembered-json.ts'
import { timestamp } from './timestamp.ts'
import { presentOwner } from './user.ts'

/** A repository as JSON text. */
export function repositoryJson(repository: Repository, urls: PublicUrls, permission: GrantedPermission | null): string {
  return rememberedJson(repository, `repository ${permission} ${urls.base}`, () =>
    presentRepository(repository, urls, permission),
  )
}

/**
 * A repository. `permission` is the caller's permission, or null where the response omits it.
 *
 * Source: REST specification §2; contract §2.
 */
export function presentRepository(repository: Repository, urls: PublicUrls, permission: GrantedPermission | null) {
  const { owner, name } = repository
  const page = urls.repositoryPage(owner.login, name)
  return {
    id: repository.id,
    name,
    full_name: `${owner.login}/${name}`,
    private: repository.visibility === 'private',
    owner: presentOwner(owner, urls),
    html_url: page,
    description: repository.description,
    fork: false,
    url: urls.repository(owner.login, name),
    clone_url: `${page}.git`,
    created_at: timestamp(repository.createdAt),
    updated_at: timestamp(repository.updatedAt),
    default_branch: repository.defaultBranch,
    visibility: repository.visibility,
    archived: repository.isArchived,
    disabled: repository.isDisabled,
    stargazers_count: repository.starCount,
    watchers_count: repository.starCount,
    forks_count: 0,
    ...(permission === null ? {} : { permissions: presentPermissions(permission) }),
  }
}

function presentPermissions(permission: GrantedPermission) {
  const isAdmin = permission === 'admin'
  const mayPush = permission !== 'pull'
  return { admin: isAdmin, maintain: isAdmin, push: mayPush, triage: mayPush, pull: true }
}
