/**
 * Content hashes that ignore content without an effect on the next pass.
 *
 * latexmk hashes raw bytes, so a section title in an unread `.aux` costs a pass and a repeated citation key costs a biber
 * run. Here `\@writefile` lines for files that were never opened are dropped as no-ops; everything that affects TeX or a
 * tool is kept in order. Text is decoded as latin1 because hashing needs bytes, not characters.
 */
import { hash } from 'node:crypto'

/** Digest of the content of a file that affects the next pass. `openedLists`: see `canonicalAux`. */
export function canonicalDigest(path: string, bytes: Uint8Array, openedLists: ReadonlySet<string>): string {
  return digestOf(path.endsWith('.aux') ? canonicalAux(latin1(bytes), openedLists) : bytes)
}

/** Hex SHA-256 of text or bytes. */
export function digestOf(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex')
}

/**
 * An `.aux` without the lines that do nothing: `\relax`, blanks, and entries for lists that no document prints.
 *
 * @param openedLists File name endings, `toc`, that the pass opened for writing.
 */
export function canonicalAux(text: string, openedLists: ReadonlySet<string>): string {
  return text
    .split('\n')
    .filter((line) => !isIdle(line.trim(), openedLists))
    .join('\n')
}

function isIdle(line: string, openedLists: ReadonlySet<string>): boolean {
  if (line === '' || line === '\\relax') return true
  const list = /^\\@writefile\{([^{}]+)\}\{.*\}$/.exec(line)?.[1]
  return list !== undefined && !openedLists.has(list) && isBalanced(line)
}

/** Keeps entries that continue on the next line whole. */
function isBalanced(line: string): boolean {
  let depth = 0
  for (const [brace] of line.replace(/\\[{}\\]/g, '').matchAll(/[{}]/g)) depth += brace === '{' ? 1 : -1
  return depth === 0
}

/**
 * A biblatex control file without what biber ignores: comments, running numbers, and repeated citations of one section.
 * Citations keep their order.
 */
export function canonicalBcf(text: string): string {
  const seen = new Set<string>()
  let section = ''
  const kept: string[] = []
  for (const line of withoutXmlComments(text).split('\n')) {
    section = /<bcf:section number="(\d+)"/.exec(line)?.[1] ?? section
    const bare = line.includes('<bcf:citekey') ? line.replace(/ order="\d+"/, '') : line
    const isRepeat = bare !== line && seen.has(`${section}\n${bare}`)
    seen.add(`${section}\n${bare}`)
    if (!isRepeat) kept.push(bare)
  }
  return kept.join('\n')
}

/** After the last `-->`, nothing is searched: each `<!--` there would be followed to the end of the file. */
function withoutXmlComments(text: string): string {
  const end = text.lastIndexOf('-->') + '-->'.length
  return text.slice(0, end).replace(/<!--[^]*?-->/g, '') + text.slice(end)
}

/** Bytes as text, one character per byte. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
