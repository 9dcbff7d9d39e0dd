/** Positions at which an engine that reads a root file ahead stops. */
import { posix } from 'node:path'
import { decodeLine } from '../../log/decode-line.ts'
import { latin1 } from '../canonical-digest.ts'
import type { CompileJob } from '../job.ts'

/** Parts of the names of commands and Lua functions that can ask for the size, time or content of the root file. */
const FILE_QUERIES = [
  'filesize',
  'filemod',
  'filedump',
  'mdfive',
  'file_size',
  'file_get_size',
  '_timestamp',
  'hex_dump',
  'lfs.',
  'io.open',
  'io.lines',
]

/** The search for the root file takes up to 0.1 ms per KB, on the main thread. */
const MAX_SEARCHED_BYTES = 512 * 1024

const BEGIN_DOCUMENT = Buffer.from('\\begin{document}')
const [NEWLINE, RETURN, PERCENT] = [10, 13, 37]

/**
 * `% !TEX root = ../main.tex` in a chapter, which only editors read. A line with a command is kept: a document may give `%`
 * another meaning.
 */
const ROOT_COMMENT = /^[ \t]{0,99}%[ \t]{0,99}![ \t]{0,99}TEX[ \t]{1,99}root[ \t]{0,99}=[^\\\r\n]{0,1000}$/gim

const INPUT_COMMAND = /^\\(?:input|include|subfile)\b/

/** The part of a root file before the line of `\begin{document}`; null without such a line, and if it is the first. */
export function partBeforeDocument(root: Uint8Array): Uint8Array | null {
  const line = findDocumentLine(root)
  return line === null || line.start === 0 ? null : root.subarray(0, line.start)
}

/** The part of a root file up to and including the line of `\begin{document}`; null without such a line. */
export function preambleOf(root: Uint8Array): Uint8Array | null {
  const line = findDocumentLine(root)
  return line === null ? null : root.subarray(0, line.end)
}

/** Searches bytes: decoding a book takes longer. No line is searched twice. */
function findDocumentLine(root: Uint8Array): { readonly start: number; readonly end: number } | null {
  const bytes = Buffer.from(root.buffer, root.byteOffset, root.byteLength)
  for (let at = bytes.indexOf(BEGIN_DOCUMENT); at !== -1;) {
    let start = at
    while (start > 0 && !isLineEnd(bytes[start - 1])) start -= 1
    if (!bytes.subarray(start, at).includes(PERCENT)) {
      const newline = bytes.indexOf(NEWLINE, at)
      return newline === -1 ? null : { start, end: newline + 1 }
    }
    let end = at
    while (end < bytes.length && !isLineEnd(bytes[end])) end += 1
    at = bytes.indexOf(BEGIN_DOCUMENT, end)
  }
  return null
}

/** Lines of TeX also end with `\r`. */
function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN
}

/** Paragraphs are shorter; without blank lines, the last one may be many pages before the edit. */
const MAX_PARAGRAPH_BYTES = 4_000

/**
 * The part of a root file before an edit at `position`, so that an engine which has read it can be used for the next edit
 * nearby: before the paragraph, or before the line if it inputs the edited file. Null if that is in the preamble.
 */
export function startBefore(root: Uint8Array, position: number): Uint8Array | null {
  const preamble = preambleOf(root)
  if (preamble === null) return null
  const text = latin1(root.subarray(preamble.length, position))
  const line = text.lastIndexOf('\n') + 1
  const isInput = INPUT_COMMAND.test(latin1(root.subarray(position, position + 10)))
  const end = isInput ? line : (paragraphStart(text) ?? line)
  return end === 0 ? null : root.subarray(0, preamble.length + end)
}

/** Null if the last blank line is not near the end. */
function paragraphStart(text: string): number | null {
  const first = Math.max(0, text.length - MAX_PARAGRAPH_BYTES)
  const breaks = ['\n\n', '\n\r\n'].map((blank) => {
    const at = text.lastIndexOf(blank)
    return at < first ? -1 : at + blank.length
  })
  const last = Math.max(...breaks)
  return last === -1 ? null : last
}

/** The position of the first command in a root file that inputs one of these files; null if none does so by name. */
export function positionOfInput(root: Uint8Array, paths: readonly string[]): number | null {
  const wanted = new Set(paths)
  for (const match of latin1(root).matchAll(/\\(?:input|include|subfile)\s*\{([^{}]*)\}/g)) {
    const name = posix.normalize(decodeLine(match[1] ?? '').trim())
    if (wanted.has(name) || wanted.has(`${name}.tex`)) return match.index
  }
  return null
}

/** The first position at which two versions of a file differ; null if they are equal. */
export function firstDifference(before: Uint8Array, after: Uint8Array): number | null {
  const length = Math.min(before.length, after.length)
  for (let at = 0; at < length; at += 1) if (before[at] !== after[at]) return at
  return before.length === after.length ? null : length
}

/**
 * True if an engine may find a pipe in place of the root file: no file of the project reads it, or asks for its size. False
 * if more than 512 KB mention it.
 */
export function mayBePipe(rootName: string, files: Iterable<readonly [string, Uint8Array]>): boolean {
  const stem = stemOf(rootName)
  const words = [...FILE_QUERIES, rootName, `{${stem}}`, `/${stem}}`, 'jobname', 'currfile'].map((word) =>
    Buffer.from(word),
  )
  const readsRoot = createRootPattern(rootName)
  let searchedBytes = 0
  for (const [path, bytes] of files) {
    if (!/\.(?:tex|sty|cls|ltx|dtx|ins|def|cfg|clo|lua)$/.test(path) && posix.basename(path) !== rootName) continue
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (!words.some((word) => content.includes(word))) continue
    // Few files get this far, so few are decoded.
    searchedBytes += content.length
    if (searchedBytes > MAX_SEARCHED_BYTES) return false
    if (readsRoot.test(latin1(content).replaceAll(ROOT_COMMENT, ''))) return false
  }
  return true
}

/**
 * Matches queries of any file, the name of the root file, and its name without the ending as an argument of a command such as
 * `\verbatiminput`.
 */
function createRootPattern(rootName: string): RegExp {
  const [name, stem, ending] = [rootName, stemOf(rootName), posix.extname(rootName)].map(quote)
  const command = String.raw`\\\w{0,30}[Ii]nput\w{0,30}\*?(?:\[[^\]]{0,80}\])?(?:\{[^{}]{0,100}\})?`
  const argument = String.raw`\{(?:[^{}]{0,200}/)?(?:${stem}|\\jobname|\\c_sys_jobname_str)\}`
  const names = [name, `jobname(?:_str)? ?${ending}`, 'currfile(?:name|path|abspath)']
  return new RegExp([...FILE_QUERIES.map(quote), ...names, command + argument].join('|'))
}

/** A pattern that matches this text in bytes decoded as latin1. */
function quote(text: string): string {
  return latin1(Buffer.from(text)).replaceAll(/\W/g, String.raw`\$&`)
}

function stemOf(rootName: string): string {
  return posix.basename(rootName, posix.extname(rootName))
}

/** True if a document may open files from Lua, which are not recorded. */
export function mayRunLua({ engine, files }: Pick<CompileJob, 'engine' | 'files'>): boolean {
  if (engine !== 'lualatex') return false
  return [...files].some(
    ([path, bytes]) => path.endsWith('.lua') || /lua(?:exec|code|direct)|directlua/.test(latin1(bytes)),
  )
}

/** Bytes before the root file for an engine that guesses the encoding of its input and reads it again; null = it cannot. */
export function markOf(engine: string, root: Uint8Array): Uint8Array | null {
  if (engine !== 'xelatex') return new Uint8Array()
  const [first = 0, second = 0] = root
  const isGuessed = first === 0 || second === 0 || first >= 0xef
  return isGuessed ? null : new Uint8Array([0xef, 0xbb, 0xbf])
}
