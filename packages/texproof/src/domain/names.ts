/**
 * Names of users and repositories. Both are ASCII, so that two names that look alike are alike,
 * and compared without case: the key of a name is its lower-cased form.
 */

declare const brand: unique symbol

/** A user's name in addresses. */
export type Login = string & { readonly [brand]: 'Login' }

/** A repository's name in addresses. */
export type RepositoryName = string & { readonly [brand]: 'RepositoryName' }

/** First segments of our own addresses, and those a browser or crawler asks for: no user may be called so. */
export const reservedLogins: ReadonlySet<string> = new Set([
  'about',
  'admin',
  'api',
  'assets',
  'compile',
  'docs',
  'explore',
  'favicon.ico',
  'forgot',
  'health',
  'help',
  'import',
  'join',
  'login',
  'logout',
  'metrics',
  'new',
  'playground',
  'ready',
  'reset',
  'robots.txt',
  's',
  'search',
  'settings',
  'setup',
  'static',
  'status',
  '.well-known',
])

const maxLoginLength = 39
const maxRepositoryNameLength = 100

/** Letters, digits and single hyphens inside, at most 39, not reserved; else null. */
export function parseLogin(input: unknown): Login | null {
  if (typeof input !== 'string' || input.length > maxLoginLength) return null
  if (!/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(input)) return null
  return reservedLogins.has(input.toLowerCase()) ? null : (input as Login)
}

/**
 * Letters, digits, `.`, `-`, `_`, at most 100; else null. `.` and `..` mean something else in a path,
 * and `.git` and `.wiki` are what addresses append.
 *
 * Source: REST contract §8.
 */
export function parseRepositoryName(input: unknown): RepositoryName | null {
  if (typeof input !== 'string' || input.length > maxRepositoryNameLength) return null
  if (!/^[A-Za-z0-9._-]+$/.test(input) || input === '.' || input === '..') return null
  return /\.(?:git|wiki)$/i.test(input) ? null : (input as RepositoryName)
}

/**
 * What two names that must not both exist have in common. Only ASCII letters change,
 * so that no look-alike from elsewhere (a Kelvin sign, a dotless i) folds into a name that exists.
 */
export function nameKey(name: string): string {
  return /[A-Z]/.test(name) ? name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
}
