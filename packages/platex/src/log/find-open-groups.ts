import type { SourceTexts } from './source-texts.ts'

export type GroupKind = 'environment' | 'brace' | 'condition'

/** The first group of a match is set if it opens a group. The environment of the document is none: LaTeX ends its group. */
const TOKENS: Readonly<Record<GroupKind, RegExp>> = {
  environment: /(\\begin\{(?!document\})|\\begingroup(?![A-Za-z@]))|\\end\{(?!document\})|\\endgroup(?![A-Za-z@])/g,
  brace: /(\{|\\bgroup(?![A-Za-z@]))|\}|\\egroup(?![A-Za-z@])/g,
  // The commands of packages whose names begin with "if" have arguments.
  condition: /(?<!\\newif ?)(\\if(?!f(?![A-Za-z@]))[A-Za-z@]*(?![A-Za-z@]| ?\{))|\\fi(?![A-Za-z@])/g,
}

/** More than TeX can have. */
const MAX_OPEN = 1_000

const found = new WeakMap<SourceTexts, Map<string, ReadonlySet<number>>>()

/**
 * Lines on which a file opens a group that is open at its end. As in TeX, an end closes what was opened last, whatever its
 * name.
 */
export function findOpenGroups(sources: SourceTexts, file: string, kind: GroupKind): ReadonlySet<number> {
  const remembered = found.get(sources) ?? new Map<string, ReadonlySet<number>>()
  found.set(sources, remembered)
  const key = `${kind} ${file}`
  const lines = remembered.get(key) ?? openLines(sources.code(file), TOKENS[kind])
  remembered.set(key, lines)
  return lines
}

function openLines(code: readonly string[], tokens: RegExp): ReadonlySet<number> {
  const open: number[] = []
  for (const [index, text] of code.entries()) {
    for (const [, opening] of text.replace(/\\[^A-Za-z@]/g, '').matchAll(tokens)) {
      if (opening === undefined) open.pop()
      else open.push(index + 1)
      if (open.length > MAX_OPEN) return new Set()
    }
  }
  return new Set(open)
}
