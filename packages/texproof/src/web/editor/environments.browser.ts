/** Environments and sections: matching of `\begin` and `\end`, closing, folding. */
import { foldService } from '@codemirror/language'
import { EditorSelection } from '@codemirror/state'
import type { EditorState, Extension, Text } from '@codemirror/state'
import { Decoration, EditorView, keymap } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'

/** `\begin{name}` or `\end{name}` and its counterpart. */
interface Mark {
  readonly name: string
  readonly from: number
  readonly to: number
  /** null = there is none. */
  pair: Mark | null
}

interface Heading {
  readonly level: number
  readonly from: number
}

interface Structure {
  readonly begins: readonly Mark[]
  readonly ends: readonly Mark[]
  readonly headings: readonly Heading[]
}

const LEVELS = ['part', 'chapter', 'section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']

/** Comments and escaped characters are consumed, so that nothing inside them is found. */
const TOKENS =
  /%[^\n]*|\\(begin|end)[ \t]*\{([^{}\n]*)\}|\\((?:sub){0,2}section|part|chapter|(?:sub)?paragraph)\*?[ \t]*[[{]|\\[^]/g
const VERBATIM = /^(?:verbatim|Verbatim|lstlisting|minted|comment|filecontents)\*?$/

/** The last state of a text, because several extensions ask for the same one. */
const structures = new WeakMap<Text, Structure>()

function readStructure(doc: Text): Structure {
  const known = structures.get(doc)
  if (known !== undefined) return known
  const structure = parseStructure(doc.toString())
  structures.set(doc, structure)
  return structure
}

function parseStructure(text: string): Structure {
  const [begins, ends, headings, open]: [Mark[], Mark[], Heading[], Mark[]] = [[], [], [], []]
  TOKENS.lastIndex = 0
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    const [whole, kind, name = '', heading] = found
    const { index } = found
    if (heading !== undefined) headings.push({ level: LEVELS.indexOf(heading), from: index })
    if (kind === undefined) continue
    const mark: Mark = { name, from: index, to: index + whole.length, pair: null }
    if (kind === 'end') {
      ends.push(mark)
      const last = open.findLastIndex((begin) => begin.name === name)
      if (last === -1) continue
      mark.pair = open[last] ?? null
      if (mark.pair !== null) mark.pair.pair = mark
      open.length = last
      continue
    }
    begins.push(mark)
    open.push(mark)
    if (!VERBATIM.test(name)) continue
    const end = text.indexOf(`\\end{${name}}`, mark.to)
    TOKENS.lastIndex = end === -1 ? text.length : end
  }
  return { begins, ends, headings }
}

const MATCHED = Decoration.mark({ class: 'cm-matchingBracket' })
const UNMATCHED = Decoration.mark({ class: 'cm-nonmatchingBracket' })

/** Marks the `\begin` or `\end` at the cursor and its counterpart. */
function markPair(state: EditorState): DecorationSet {
  const { head, empty } = state.selection.main
  if (!empty) return Decoration.none
  const { begins, ends } = readStructure(state.doc)
  const mark = [...begins, ...ends].find(({ from, to }) => from <= head && head <= to)
  if (mark === undefined) return Decoration.none
  if (mark.pair === null) return Decoration.set(UNMATCHED.range(mark.from, mark.to))
  const both = [mark, mark.pair].toSorted((a, b) => a.from - b.from)
  return Decoration.set(both.map(({ from, to }) => MATCHED.range(from, to)))
}

/** The end of an environment, or of a section, that begins on a line. */
function foldAt(state: EditorState, lineFrom: number, lineTo: number): { from: number; to: number } | null {
  const { begins, headings, ends } = readStructure(state.doc)
  const begin = begins.find(({ from }) => from >= lineFrom && from <= lineTo)
  if (begin?.pair && begin.pair.from > lineTo) return { from: lineTo, to: state.doc.lineAt(begin.pair.from).from - 1 }
  const at = headings.findIndex(({ from }) => from >= lineFrom && from <= lineTo)
  const heading = headings[at]
  if (heading === undefined) return null
  const next = headings.slice(at + 1).find(({ level }) => level <= heading.level)
  const last = ends.find(({ name, from }) => name === 'document' && from > heading.from)
  const until = Math.min(next?.from ?? Infinity, last?.from ?? Infinity, state.doc.length + 1)
  const to = until > state.doc.length ? state.doc.length : state.doc.lineAt(until).from - 1
  return to > lineTo ? { from: lineTo, to } : null
}

/** Enter after an unclosed `\begin{name}` adds its `\end{name}`. */
function closeEnvironment(view: EditorView): boolean {
  const { state } = view
  const { head, empty } = state.selection.main
  const line = state.doc.lineAt(head)
  if (!empty || state.readOnly || state.doc.sliceString(head, line.to).trim() !== '') return false
  const begin = readStructure(state.doc).begins.findLast(({ from, to }) => from >= line.from && to <= head)
  if (begin === undefined || begin.pair !== null) return false
  const indent = /^[ \t]*/.exec(line.text)?.[0] ?? ''
  const inside = `\n${indent}  `
  view.dispatch({
    changes: { from: head, to: line.to, insert: `${inside}\n${indent}\\end{${begin.name}}` },
    selection: EditorSelection.cursor(head + inside.length),
    scrollIntoView: true,
    userEvent: 'input',
  })
  return true
}

/** What the editor knows about environments. */
export const environments: Extension = [
  EditorView.decorations.compute(['doc', 'selection'], markPair),
  foldService.of(foldAt),
  keymap.of([{ key: 'Enter', run: closeEnvironment }]),
]
