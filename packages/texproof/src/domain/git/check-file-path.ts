/**
 * What a file that is made in the browser may be called. Git itself would refuse some of these names at the next clone
 * (`.git`, `..`); others it would store and some system could not check out, or nobody could tell from another.
 */

/** Bytes of a name between two slashes at most, as file systems have it. */
const maxNameBytes = 255
const maxPathBytes = 1_024
/** Folders above a file at most. */
const maxDepth = 32

/** Says in words why a file cannot lie at a path; null when it can. */
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

/** Also as the file systems of other machines would read it: without case, final dots, streams and short names. */
function meansGit(name: string): boolean {
  const plain = name.normalize('NFKC').replaceAll(ignorable, '').toLowerCase()
  return /^(?:\.git|git~\d+)(?:[ .]*(?::.*)?)$/.test(plain)
}

/** Control characters, ends of lines, and what reverses the text after it. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]/u

/** What one file system or another leaves out of a name when it compares. */
const ignorable = /[\u{200B}-\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{AD}]/gu
