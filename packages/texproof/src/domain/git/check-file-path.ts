/**
 * Valid paths of files that are created in the browser. git itself would refuse some of the other names at the next
 * clone (`.git`, `..`); some could not be checked out on every system, or could not be distinguished from another name.
 */

/** Maximum bytes of a name between two slashes, the limit of file systems. */
const maxNameBytes = 255
const maxPathBytes = 1_024
/** Maximum number of folders above a file. */
const maxDepth = 32

/** Returns why a path is refused, or null if it is valid. */
export function checkFilePath(path: string): string | null {
  if (path === '') return 'Give the file a name.'
  if (!path.isWellFormed() || unseen.test(path))
    return 'The name has a character that cannot be seen, such as a tab or a new line. Type it again.'
  if (path.includes('\\')) return 'A name has no backslash. Folders are told apart by a slash: figs/plot.png.'
  if (path.startsWith('/') || path.endsWith('/') || path.includes('//'))
    return `"${path}" is no path to a file: it begins or ends with a slash, or has two in a row.`
  if (Buffer.byteLength(path) > maxPathBytes) return `The path is longer than ${maxPathBytes} bytes.`
  const names = path.split('/')
  if (names.length > maxDepth + 1) return `The file lies more than ${maxDepth} folders deep.`
  return names.map(refuseName).find((refusal) => refusal !== null) ?? null
}

function refuseName(name: string): string | null {
  if (name === '.' || name === '..') return `"${name}" is no name: write the path from the top of the repository.`
  if (name.trim() !== name) return `"${name}" begins or ends with a space.`
  if (Buffer.byteLength(name) > maxNameBytes) return `One name of the path is longer than ${maxNameBytes} bytes.`
  if (meansGit(name)) return `"${name}" cannot be used: git keeps this name for itself.`
  return null
}

/** Applies the rules of other file systems: case, trailing dots, streams and short names. */
function meansGit(name: string): boolean {
  const plain = name.normalize('NFKC').replaceAll(ignorable, '').toLowerCase()
  return /^(?:\.git|git~\d+)(?:[ .]*(?::.*)?)$/.test(plain)
}

/** Control characters, line separators, and characters that change the text direction. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u

/** Characters that some file systems ignore when they compare names. */
const ignorable = /[\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{AD}]/gu
