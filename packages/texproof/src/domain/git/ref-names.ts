/**
 * Valid names of refs. There are two rules:
 *
 * - `isRefName` and `isBranchName` are git's own rule, for names that may exist on disk and are looked up.
 * - `refuseRefName` is this host's stricter rule for names that may be pushed or created: it excludes names that git
 *   would store, but that could later be read as an option (`-x`), as `HEAD`, as a full ref name or as a commit id.
 */

/** Maximum bytes of a branch or tag name: git adds `.lock` to it, and file names are limited to 255 bytes. */
const maxRefNameBytes = 250

/**
 * Whether git accepts this as a full ref name such as `refs/heads/main`.
 *
 * Source: git-check-ref-format(1).
 */
export function isRefName(ref: string): boolean {
  if (!ref.includes('/') || ref.endsWith('.') || forbidden.test(ref) || !ref.isWellFormed()) return false
  return ref.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

/** Whether git accepts this as the short name of a branch or tag. */
export function isBranchName(name: string): boolean {
  return isRefName(`refs/heads/${name}`)
}

/**
 * Returns why a full ref name may not be pushed or created, or null if it may.
 *
 * Only branches and tags are accepted, and only with unambiguous names.
 */
export function refuseRefName(ref: string): string | null {
  const name = shortName(ref)
  if (name === null) return 'only branches (refs/heads/) and tags (refs/tags/) can be pushed'
  if (!isRefName(ref)) return describeForbidden(name)
  if (Buffer.byteLength(name) > maxRefNameBytes) return `the name is longer than ${maxRefNameBytes} bytes`
  if (name === 'HEAD') return 'a branch or tag cannot be called HEAD'
  if (name.startsWith('refs/')) return 'the name cannot begin with "refs/"'
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i.test(name)) return 'the name looks like a commit id'
  if (name.split('/').some((part) => part.startsWith('-'))) return 'no part of the name can begin with "-"'
  return null
}

/** Names the character that users type most often: a space, or a sign of git's syntax. */
function describeForbidden(name: string): string {
  const character = /[ ~^:?*[\\]/.exec(name)?.[0]
  if (character === undefined) return 'git does not allow this name'
  return `the name cannot contain ${character === ' ' ? 'spaces' : `"${character}"`}`
}

// Control characters, space, the characters of revision syntax and globs, `..` and `@{`.
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{/

function shortName(ref: string): string | null {
  const prefix = ['refs/heads/', 'refs/tags/'].find((start) => ref.startsWith(start))
  return prefix === undefined ? null : ref.slice(prefix.length)
}
