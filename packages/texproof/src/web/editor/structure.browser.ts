/**
 * Environments and headings of a text. A text is a tree of immutable leaves of some lines, and a change replaces only the
 * leaves that it touches. Tokens are therefore kept per leaf: a keystroke in a long chapter scans a few lines.
 */
import type { Text } from '@codemirror/state'

/** `\begin{name}` or `\end{name}`, and its counterpart. */
export interface Mark {
  readonly kind: 'begin' | 'end'
  readonly name: string
  readonly from: number
  readonly to: number
  /** null = there is none. */
  pair: Mark | null
}

export interface Heading {
  readonly level: number
  readonly from: number
  /** Start of what follows its section; null = the section ends with the text. */
  until: number | null
}

/** Structure of a source, in the order of the text. */
export interface Structure {
  readonly marks: readonly Mark[]
  readonly headings: readonly Heading[]
}

/** `hidden` = an `\end` that only verbatim text ends with: elsewhere it is a comment or escaped. */
interface Token {
  readonly kind: 'begin' | 'end' | 'hidden' | 'heading'
  /** Environment or command. */
  readonly name: string
  /** Offset from the start of the leaf. */
  readonly from: number
  readonly length: number
}

const LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']

/** Comments and escaped characters are consumed, so that nothing inside them is found. */
const TOKENS =
  /%[^\n]*|\\(begin|end)[ \t]*\{([^{}\n]*)\}|\\((?:sub){0,2}section|part|chapter|(?:sub)?paragraph)\*?[ \t]*[[{]|\\[^]/g
const VERBATIM = /^(?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?$/
const VERBATIM_END = /\\end\{((?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?)\}/g

/** Farther away, the `\end` of an environment belongs to another one. */
const MAX_DISTANCE = 10_000

const tokensOfLeaves = new WeakMap<Text, readonly Token[]>()

/** The last structure of a text, because several extensions ask for the same one. */
const structures = new WeakMap<Text, Structure>()

/** The environments and headings of a text. */
export function readStructure(doc: Text): Structure {
  const known = structures.get(doc)
  if (known !== undefined) return known
  const structure = pairMarks(doc)
  structures.set(doc, structure)
  return structure
}

/** Whether a `\begin` lacks its `\end`, or has taken the `\end` of an environment of the same name around it. */
export function needsEnd(doc: Text, begin: Mark): boolean {
  if (begin.pair === null) return true
  const { marks, headings } = readStructure(doc)
  const section = headings[firstFrom(headings, begin.from) - 1]?.from ?? 0
  const before = listBetween(marks, Math.max(section, begin.from - MAX_DISTANCE), begin.from)
  return before.some(({ kind, name, pair }) => kind === 'begin' && name === begin.name && pair === null)
}

/** Whether an `\end` of a name follows that no `\begin` has. */
export function hasLoneEnd(doc: Text, name: string, from: number): boolean {
  const { marks, headings } = readStructure(doc)
  const next = headings[firstFrom(headings, from)]?.from ?? doc.length
  const after = listBetween(marks, from, Math.min(next, from + MAX_DISTANCE))
  return after.some((mark) => mark.kind === 'end' && mark.name === name && mark.pair === null)
}

/** Index of the first item at a position or after it. */
export function firstFrom(items: readonly { readonly from: number }[], position: number): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle]?.from ?? 0) < position) low = middle + 1
    else high = middle
  }
  return low
}

/** The items that begin between two positions, both included. */
export function listBetween<Item extends { readonly from: number }>(
  items: readonly Item[],
  from: number,
  to: number,
): readonly Item[] {
  return items.slice(firstFrom(items, from), firstFrom(items, to + 1))
}

function* listTokens(text: Text, start = 0): Generator<Token> {
  if (text.children === null) {
    for (const token of tokensOfLeaf(text)) yield { ...token, from: start + token.from }
    return
  }
  let childStart = start
  for (const child of text.children) {
    yield* listTokens(child, childStart)
    childStart += child.length + 1
  }
}

function tokensOfLeaf(leaf: Text): readonly Token[] {
  const known = tokensOfLeaves.get(leaf)
  if (known !== undefined) return known
  const text = leaf.toString()
  const tokens: Token[] = []
  for (const { index, 0: whole, 1: kind, 2: name = '', 3: heading } of text.matchAll(TOKENS)) {
    if (heading !== undefined) tokens.push({ kind: 'heading', name: heading, from: index, length: whole.length })
    else if (kind === 'begin' || kind === 'end') tokens.push({ kind, name, from: index, length: whole.length })
  }
  const found = new Set(tokens.map(({ from }) => from))
  for (const { index, 0: whole, 1: name = '' } of text.matchAll(VERBATIM_END))
    if (!found.has(index)) tokens.push({ kind: 'hidden', name, from: index, length: whole.length })
  tokens.sort((one, other) => one.from - other.from)
  tokensOfLeaves.set(leaf, tokens)
  return tokens
}

function pairMarks(doc: Text): Structure {
  const marks: Mark[] = []
  const headings: Heading[] = []
  const open = createStack()
  const openHeadings: Heading[] = []
  /** Ends the sections of a level and below. */
  const endSections = (level: number, at: number): void => {
    for (let last = openHeadings.at(-1); last !== undefined && last.level >= level; last = openHeadings.at(-1)) {
      last.until = at
      openHeadings.pop()
    }
  }
  let verbatim: string | null = null
  for (const { kind, name, from, length } of listTokens(doc)) {
    const isVerbatimEnd = verbatim === name && (kind === 'end' || kind === 'hidden')
    if (isVerbatimEnd) verbatim = null
    else if (verbatim !== null || kind === 'hidden') continue
    if (kind === 'heading') {
      const heading: Heading = { level: LEVELS.indexOf(name), from, until: null }
      endSections(heading.level, from)
      openHeadings.push(heading)
      headings.push(heading)
      continue
    }
    const mark: Mark = { kind: kind === 'begin' ? 'begin' : 'end', name, from, to: from + length, pair: null }
    marks.push(mark)
    if (mark.kind === 'begin') {
      open.push(mark)
      if (VERBATIM.test(name)) verbatim = name
      continue
    }
    mark.pair = open.takeLast(name)
    if (mark.pair !== null) mark.pair.pair = mark
    if (name === 'document') endSections(0, from)
  }
  return { marks, headings }
}

/** The environments that are open. */
function createStack() {
  const open: Mark[] = []
  /** How often each name is open: an `\end` without `\begin` must not search the stack. */
  const counts = new Map<string, number>()
  return {
    push(mark: Mark): void {
      open.push(mark)
      counts.set(mark.name, (counts.get(mark.name) ?? 0) + 1)
    },
    /** Takes the last one with a name, and those inside it, which have no end. */
    takeLast(name: string): Mark | null {
      if ((counts.get(name) ?? 0) === 0) return null
      for (let last = open.pop(); last !== undefined; last = open.pop()) {
        counts.set(last.name, (counts.get(last.name) ?? 1) - 1)
        if (last.name === name) return last
      }
      return null
    },
  }
}
