import { latin1 } from '../canonical-digest.ts'

/** A line of a source file, 1-based. */
export interface SourceLine {
  /** Path in the workspace. */
  readonly file: string
  readonly line: number
}

/** The first page with material of a source line, or of the nearest line; null if the file made none. */
export function findPageOfLine(synctex: Uint8Array, { file, line }: SourceLine): number | null {
  const text = latin1(synctex)
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
      const distance = Math.abs(Number(at) - line)
      if (best === null || distance < best.distance) best = { page, distance }
    }
  }
  return best?.page ?? null
}

/** Boxes, glue, kerns, rules and formulas. */
const RECORDS = '[(hvxkgr$'
