/** Addresses in API responses. All begin with the configured base, not with the `Host` header. */
export interface PublicUrls {
  /** Scheme and authority of the requested path, with a path if the base has one. */
  readonly base: string
  /** Shown instead of authors' email addresses in commits. */
  readonly placeholderEmail: string
  user(login: string): string
  userPage(login: string): string
  avatar(avatarId: string): string
  /** API address of a repository; `path` begins with a slash and is encoded by `encodePath`. */
  repository(owner: string, name: string, path?: string): string
  repositoryPage(owner: string, name: string, path?: string): string
}

/** The addresses under a base, `https://papers.example.org` for example, without a trailing slash. */
export function publicUrls(base: string): PublicUrls {
  const api = `${base}/api/v3`
  return {
    base,
    placeholderEmail: `noreply@${new URL(base).hostname}`,
    user: (login) => `${api}/users/${login}`,
    userPage: (login) => `${base}/${login}`,
    avatar: (avatarId) => `${base}/assets/avatars/${avatarId}`,
    repository: (owner, name, path = '') => `${api}/repos/${owner}/${name}${path}`,
    repositoryPage: (owner, name, path = '') => `${base}/${owner}/${name}${path}`,
  }
}

/** Percent-encodes a name that may contain slashes, segment by segment. */
export function encodePath(name: string): string {
  return name.split('/').map(encodeURIComponent).join('/')
}
