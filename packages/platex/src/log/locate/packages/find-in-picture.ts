/** Brackets and environments that a picture of TikZ or a tree of forest leaves open: TeX reads on and reports what it then misunderstands. */
import type { Fault, Place } from '../places.ts'

type NotedPlace = Place & { readonly note: string }

const MAX_LINES = 1_000

/** Messages that follow from a bracket of this kind that is not closed. */
const MESSAGES: Readonly<Record<string, RegExp>> = {
  '{': /^Undefined control sequence: \\(?:draw|node|fill|filldraw|path|coordinate|clip|shade|matrix|addplot|graph|pic)$/,
  '(': /\\tikz@(?:parse@|@scan@|@@scan|coordinate|lib@matrix|@handle)|^Package tikz Error: (?:Cannot parse|\+ or -|\()/,
  '[': /^(?:Paragraph ended before|File ended while scanning use of|Argument of) \\(?:bracket@|pgfutil@next|tikz@(?:collect|@command|scan|fig|parse)|pgfkeys)/,
}

/** The last \foreach before the reported line that has no "in", which pgf looks for until the next paragraph. */
export function findLoopWithoutIn({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.startsWith('Paragraph ended before \\pgffor@@vars')) return null
  const code = sources.code(file).slice(Math.max(0, line - MAX_LINES), line)
  const at = code.findLastIndex((text) => /\\foreach(?![A-Za-z])(?!.{0,200}?\bin\b)/.test(text))
  return at === -1 ? null : { file, line: Math.max(0, line - MAX_LINES) + at + 1 }
}

const PICTURE = /\\begin\{(tikzpicture|forest)\}/

/** The line with the mistake in the picture around the reported line. */
export function findInPicture(fault: Fault): NotedPlace | null {
  const { file, line } = fault.reported
  if (line === null) return null
  const code = fault.sources.code(file)
  const begun = code.slice(0, line).findLastIndex((text) => PICTURE.test(text))
  if (begun === -1 || line - begun > MAX_LINES) return null
  const name = PICTURE.exec(code[begun] ?? '')?.[1] ?? ''
  const length = code.slice(begun).findIndex((text) => text.includes(`\\end{${name}}`))
  if (length === -1 || begun + length + 1 < line - MAX_LINES) return null
  const picture = code.slice(begun, begun + length + 1)
  return findOpenBracket(fault, { picture, begun }) ?? findOpenEnvironment(fault, { picture, begun })
}

interface Picture {
  readonly picture: readonly string[]
  /** Index of its first line. */
  readonly begun: number
}

function findOpenBracket({ error, reported }: Fault, { picture, begun }: Picture): NotedPlace | null {
  const kind = Object.keys(MESSAGES).find((bracket) => MESSAGES[bracket]?.test(error.message))
  const open = kind === undefined ? undefined : listOpen(picture).find(({ bracket }) => bracket === kind)
  if (open === undefined || begun + open.index + 1 > (reported.line ?? 0)) return null
  return {
    file: reported.file,
    line: begun + open.index + 1,
    note: `In this picture, a bracket is not closed: "${open.bracket}".`,
  }
}

interface Open {
  readonly bracket: string
  /** Index of its line in the picture. */
  readonly index: number
}

const PARTNERS: Readonly<Record<string, string>> = { '}': '{', ')': '(', ']': '[' }

/** Brackets that a bracket of another kind, or the end of the picture, leaves open: the most likely ones first. */
function listOpen(picture: readonly string[]): readonly Open[] {
  const open: Open[] = []
  const lost: Open[] = []
  const shifted: Open[] = []
  for (const [index, text] of picture.entries())
    for (const [bracket] of text.replace(/\\[^A-Za-z]/g, '').matchAll(/[{}()[\]]/g)) {
      const partner = PARTNERS[bracket]
      if (partner === undefined) open.push({ bracket, index })
      else {
        const at = open.findLastIndex((one) => one.bracket === partner)
        const opening = open[at]
        // Text in a node may contain a closing bracket alone.
        if (opening === undefined) continue
        if (isDeeper(picture[opening.index] ?? '', opening.bracket, text)) shifted.push(opening)
        lost.push(...open.splice(at).slice(1))
      }
    }
  return open.length === 0 ? lost : [...lost, ...shifted, ...open]
}

/** Whether a bracket begins its line, and the one that closes it begins a line with a smaller indentation. */
function isDeeper(opening: string, bracket: string, closing: string): boolean {
  const text = closing.trimStart()
  if (!opening.trimStart().startsWith(bracket) || !/^[)\]}]/.test(text)) return false
  return closing.length - text.length < opening.length - opening.trimStart().length
}

const AT_END = /^(?:Extra \}, or forgotten \\endgroup|LaTeX Error: \\begin\{tikzpicture\} on)/

/** An axis or scope without its end: the end of the picture closes a group that is not open. */
function findOpenEnvironment({ error, reported, sources }: Fault, { picture, begun }: Picture): NotedPlace | null {
  const { file, line } = reported
  if (!AT_END.test(error.message) || !(sources.code(file)[(line ?? 0) - 1] ?? '').includes('\\end{tikzpicture}'))
    return null
  const open: { readonly name: string; readonly index: number }[] = []
  for (const [index, text] of picture.entries())
    for (const [, kind, name = ''] of text.matchAll(/\\(begin|end)\{([^{}]{1,60})\}/g)) {
      if (kind === 'begin') open.push({ name, index })
      else if (open.at(-1)?.name === name) open.pop()
    }
  const last = open.at(-1)
  if (last === undefined || last.name === 'tikzpicture' || last.name === 'document') return null
  return { file, line: begun + last.index + 1, note: `An environment in the picture is not ended: "${last.name}".` }
}

const MATRIX = /\\begin\{tikzcd\}|\\matrix(?![A-Za-z])/

/** The last matrix before the end of the argument or frame in which TeX has read it. */
export function findMatrix({ error, reported, sources }: Fault): Place | null {
  const { file, line } = reported
  if (line === null || !error.message.startsWith('Package pgf Error: Single ampersand used')) return null
  const from = Math.max(0, line - MAX_LINES)
  const found = sources
    .code(file)
    .slice(from, line)
    .findLastIndex((text) => MATRIX.test(text))
  return found === -1 ? null : { file, line: from + found + 1 }
}
