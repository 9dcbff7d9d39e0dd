/**
 * The formats of the contract, for comparing whole bodies. Repeated here on purpose, so that the presenters are tested
 * independently.
 */
import type { Repository, User } from '../../src/domain/types.ts'

/** The body of an error. */
export function errorOf(status: number, message: string, page = '') {
  return { message, documentation_url: `https://docs.github.com/rest${page}`, status: String(status) }
}

/** An owner of a repository. */
export function ownerOf(user: User, base: string) {
  return {
    login: user.login,
    id: user.id,
    avatar_url: null,
    email: null,
    url: `${base}/api/v3/users/${user.login}`,
    html_url: `${base}/${user.login}`,
    repos_url: `${base}/api/v3/users/${user.login}/repos`,
    type: 'User',
    site_admin: false,
  }
}

/** A profile. */
export function profileOf(user: User, base: string, publicRepositoryCount: number) {
  return {
    ...ownerOf(user, base),
    name: user.name,
    bio: user.bio,
    public_repos: publicRepositoryCount,
    created_at: seconds(user.createdAt),
    updated_at: seconds(user.updatedAt),
  }
}

/** A repository without `permissions`. */
export function repositoryOf(repository: Repository, base: string) {
  const { owner, name } = repository
  return {
    id: repository.id,
    name,
    full_name: `${owner.login}/${name}`,
    private: repository.visibility === 'private',
    owner: ownerOf(owner, base),
    html_url: `${base}/${owner.login}/${name}`,
    description: repository.description,
    fork: false,
    url: `${base}/api/v3/repos/${owner.login}/${name}`,
    clone_url: `${base}/${owner.login}/${name}.git`,
    created_at: seconds(repository.createdAt),
    updated_at: seconds(repository.updatedAt),
    default_branch: 'main',
    visibility: repository.visibility,
    archived: repository.isArchived,
    disabled: repository.isDisabled,
    stargazers_count: repository.starCount,
    watchers_count: repository.starCount,
    forks_count: 0,
  }
}

/** Members of `permissions` for each permission. */
export const permissions = {
  admin: { admin: true, maintain: true, push: true, triage: true, pull: true },
  push: { admin: false, maintain: false, push: true, triage: true, pull: true },
  pull: { admin: false, maintain: false, push: false, triage: false, pull: true },
}

function seconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`
}
