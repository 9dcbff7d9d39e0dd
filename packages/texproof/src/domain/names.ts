/**
 * Names of users and repositories. Both are ASCII, so that names cannot look alike, and compared without case: the key
 * of a name is its lower-case form.
 */

declare const brand: unique symbol

/** A username, as in addresses. */
export type Login = string & { readonly [brand]: 'Login' }

/** The name of a repository, as in addresses. */
export type RepositoryName = string & { readonly [brand]: 'RepositoryName' }

/**
 * First segments of this host's addresses, and those that browsers and crawlers request: not available as usernames.
 */
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

/** Letters, digits and single hyphens inside, at most 39 characters, not reserved; else null. */
export function parseLogin(input: unknown): Login | null {
  if (typeof input !== 'string' || input.length > maxLoginLength) return null
  if (!/^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$/.test(input)) return null
  return isReservedLogin(input) ? null : (input as Login)
}

/** Whether a username is not available to anyone. */
export function isReservedLogin(input: string): boolean {
  return reservedLogins.has(input.toLowerCase())
}

/**
 * Letters, digits, `.`, `-`, `_`, at most 100 characters; else null. `.` and `..` have another meaning in a path, and
 * `.git` and `.wiki` are suffixes of addresses.
 *
 * Source: REST contract §8.
 */
export function parseRepositoryName(input: unknown): RepositoryName | null {
  if (typeof input !== 'string' || input.length > maxRepositoryNameLength) return null
  if (!/^[A-Za-z0-9._-]+$/.test(input) || input === '.' || input === '..') return null
  return /\.(?:git|wiki)$/i.test(input) ? null : (input as RepositoryName)
}

/**
 * The unique key of a name. Only ASCII letters are folded, so that no other character (a Kelvin sign, a dotless i)
 * folds into an existing name.
 */
export function nameKey(name: string): string {
  return /[A-Z]/.test(name) ? name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase()) : name
}
