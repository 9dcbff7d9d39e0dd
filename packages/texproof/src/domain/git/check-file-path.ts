/**
 * Valid paths of files that are created in the browser or imported. git refuses some of the other names at the next clone
 * (`.git`, `..`); some cannot be checked out on every system, or cannot be distinguished from another name.
 */

/** Maximum bytes of a name between two slashes, the limit of file systems. */
const maxNameBytes = 255
export const maxPathBytes = 1_024
/** Maximum number of folders above a file. */
const maxDepth = 32

/** Returns why a path is refused, or null if it is valid. */
export function checkFilePath(path: string): string | null {
  if (path === '') return 'Enter a file name.'
  if (!path.isWellFormed() || invisible.test(path))
    return 'The name contains an invisible character, such as a tab or a line break. Remove it.'
  if (path.includes('\\')) return 'A name cannot contain a backslash. Separate folders with a slash: figs/plot.png.'
  if (path.startsWith('/') || path.endsWith('/') || path.includes('//'))
    return `"${path}" is not a valid path: it begins or ends with a slash, or contains two in a row.`
  if (Buffer.byteLength(path) > maxPathBytes) return `The path is longer than ${maxPathBytes} bytes.`
  const names = path.split('/')
  if (names.length > maxDepth + 1) return `The path has more than ${maxDepth} folders.`
  return names.map(refuseName).find((refusal) => refusal !== null) ?? null
}

function refuseName(name: string): string | null {
  if (name === '.' || name === '..') return `"${name}" is not a valid name: use a path relative to the repository root.`
  if (Buffer.byteLength(name) > maxNameBytes) return `A name in the path is longer than ${maxNameBytes} bytes.`
  if (name.trim() !== name) return `"${name}" begins or ends with a space.`
  if (isGitFolder(name)) return `"${name}" is reserved by git. Choose another name.`
  return null
}

function isGitFolder(name: string): boolean {
  return /^(?:\.git|git~\d+)$/.test(foldName(name))
}

/** Returns the name as other file systems compare it: without case, ignored characters, final dots and streams. */
export function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(ignorable, '')
    .toLowerCase()
    .replace(/[ .]*(?::.*)?$/, '')
}

/** Control characters, line separators, and characters that change the text direction. */
const invisible = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u

/** Characters that some file systems ignore when they compare names. */
const ignorable = /[\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{AD}]/gu
