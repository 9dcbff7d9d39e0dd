import { decodeLine } from '../../log/decode-line.ts'
import { latin1 } from '../canonical-digest.ts'

/** A line of a source file, 1-based. */
export interface SourceLine {
  /** Path in the workspace. */
  readonly file: string
  readonly line: number
}

/** Position of the material of a source line. */
export interface LinePlace {
  /** 1-based. */
  readonly page: number
  /** The first later line of the file with material on a later page; null on the last page. */
  readonly nextPageLine: number | null
}

const [NEWLINE, COMMA, ZERO, NINE] = [10, 44, 48, 57]
const INPUT = 'I'.charCodeAt(0)
const PAGE = '{'.charCodeAt(0)
/** Boxes, glue, kerns, rules and formulas. */
const RECORDS = new Set(Buffer.from('[(hvxkgr$'))

/**
 * The first page with material of a source line, or of the nearest line; null if the file made none.
 *
 * Compares bytes: the data of a book has 9 MB, and decoding it takes longer than this.
 */
export function findPageOfLine(synctex: Uint8Array, { file, line }: SourceLine): LinePlace | null {
  /** Page → first line after the given one with material on it. */
  const laterLines = new Map<number, number>()
  const tags = new Set<number>()
  let page = 0
  let firstLater = Infinity
  let best: { readonly page: number; readonly distance: number } | null = null
  const endPage = (): void => {
    if (firstLater < Infinity) laterLines.set(page, Math.min(laterLines.get(page) ?? Infinity, firstLater))
    firstLater = Infinity
  }
  for (let start = 0, end = endOfLine(synctex, 0); end !== -1; start = end + 1, end = endOfLine(synctex, start)) {
    const kind = synctex[start] ?? 0
    if (kind === INPUT) {
      const [, tag, name] = /^Input:(\d+):(.*)$/.exec(decodeLine(latin1(synctex.subarray(start, end)))) ?? []
      if (tag !== undefined && name === file) tags.add(Number(tag))
    } else if (kind === PAGE) {
      endPage()
      page = numberAt(synctex, start + 1)
    } else if (RECORDS.has(kind)) {
      if (!tags.has(numberAt(synctex, start + 1))) continue
      const found = numberAfterComma(synctex, start + 1)
      if (found === null) continue
      if (found > line) firstLater = Math.min(firstLater, found)
      const distance = Math.abs(found - line)
      if (best === null || distance < best.distance) best = { page, distance }
    }
  }
  endPage()
  if (best === null) return null
  const { page: bestPage } = best
  const next = [...laterLines].flatMap(([number, first]) => (number > bestPage ? [first] : []))
  return { page: bestPage, nextPageLine: next.length === 0 ? null : next.reduce((one, other) => Math.min(one, other)) }
}

/** -1 = the line has no end. */
function endOfLine(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at += 1) if (bytes[at] === NEWLINE) return at
  return -1
}

function numberAt(bytes: Uint8Array, start: number): number {
  let value = 0
  for (let at = start; isDigit(bytes[at]); at += 1) value = 10 * value + (bytes[at] ?? 0) - ZERO
  return value
}

/** The second of two numbers; null if there is none. */
function numberAfterComma(bytes: Uint8Array, start: number): number | null {
  let at = start
  while (isDigit(bytes[at])) at += 1
  return bytes[at] === COMMA && isDigit(bytes[at + 1]) ? numberAt(bytes, at + 1) : null
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}
