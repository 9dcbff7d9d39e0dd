import { latin1 } from '../canonical-digest.ts'

/** A line of a source file, 1-based. */
export interface SourceLine {
  /** Path in the workspace. */
  readonly file: string
  readonly line: number
}

/** Where the material of a source line is. */
export interface LinePlace {
  /** 1-based. */
  readonly page: number
  /** The first later line of the file with material on a later page; null on the last page. */
  readonly nextPageLine: number | null
}

/** The first page with material of a source line, or of the nearest line; null if the file made none. */
export function findPageOfLine(synctex: Uint8Array, { file, line }: SourceLine): LinePlace | null {
  const text = latin1(synctex)
  /** Page → first line after the given one with material on it. */
  const laterLines = new Map<number, number>()
  const tags = new Set<string>()
  let page = 0
  let best: { readonly page: number; readonly distance: number } | null = null
  for (let start = 0, end = text.indexOf('\n'); end !== -1; start = end + 1, end = text.indexOf('\n', start)) {
    const first = text[start]
    if (first === 'I') {
      const [, tag, name] = /^Input:(\d+):(.*)$/.exec(text.slice(start, end)) ?? []
      if (tag !== undefined && name === file) tags.add(tag)
    } else if (first === '{') page = Number(text.slice(start + 1, end))
    else if (first !== undefined && RECORDS.includes(first)) {
      const [, tag = '', at] = /^.(\d{1,9}),(\d{1,9})/.exec(text.slice(start, Math.min(end, start + 24))) ?? []
      if (!tags.has(tag)) continue
      const found = Number(at)
      if (found > line) laterLines.set(page, Math.min(laterLines.get(page) ?? found, found))
      const distance = Math.abs(found - line)
      if (best === null || distance < best.distance) best = { page, distance }
    }
  }
  if (best === null) return null
  const { page: bestPage } = best
  const next = [...laterLines].flatMap(([number, first]) => (number > bestPage ? [first] : []))
  return { page: bestPage, nextPageLine: next.length === 0 ? null : next.reduce((one, other) => Math.min(one, other)) }
}

/** Boxes, glue, kerns, rules and formulas. */
const RECORDS = '[(hvxkgr$'
