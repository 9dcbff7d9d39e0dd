/** Environments and sections: matching of `\begin` and `\end`, closing, folding. */
import { foldService } from '@codemirror/language'
import { EditorSelection } from '@codemirror/state'
import type { EditorState, Extension } from '@codemirror/state'
import { Decoration, EditorView, keymap } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'

import { firstFrom, listBetween, needsEnd, readStructure } from './structure.browser.ts'

const MATCHED = Decoration.mark({ class: 'cm-matchingBracket' })
const UNMATCHED = Decoration.mark({ class: 'cm-nonmatchingBracket' })

/** Marks the `\begin` or `\end` at the cursor and its counterpart. */
function markPair(state: EditorState): DecorationSet {
  const { head, empty } = state.selection.main
  if (!empty) return Decoration.none
  const { marks } = readStructure(state.doc)
  const mark = marks[firstFrom(marks, head + 1) - 1]
  if (mark === undefined || mark.to < head) return Decoration.none
  if (mark.pair === null) return Decoration.set(UNMATCHED.range(mark.from, mark.to))
  const both = [mark, mark.pair].toSorted((a, b) => a.from - b.from)
  return Decoration.set(both.map(({ from, to }) => MATCHED.range(from, to)))
}

/** The end of an environment, or of a section, that begins on a line. */
function foldAt(state: EditorState, lineFrom: number, lineTo: number): { from: number; to: number } | null {
  const { marks, headings } = readStructure(state.doc)
  const begin = listBetween(marks, lineFrom, lineTo).find(({ kind }) => kind === 'begin')
  if (begin?.pair && begin.pair.from > lineTo) return { from: lineTo, to: state.doc.lineAt(begin.pair.from).from - 1 }
  const [heading] = listBetween(headings, lineFrom, lineTo)
  if (heading === undefined) return null
  const to = heading.until === null ? state.doc.length : state.doc.lineAt(heading.until).from - 1
  return to > lineTo ? { from: lineTo, to } : null
}

/** Enter after an unclosed `\begin{name}` adds its `\end{name}`. */
function closeEnvironment(view: EditorView): boolean {
  const { state } = view
  const { head, empty } = state.selection.main
  const line = state.doc.lineAt(head)
  if (!empty || state.readOnly || state.doc.sliceString(head, line.to).trim() !== '') return false
  const { marks } = readStructure(state.doc)
  const begin = listBetween(marks, line.from, head).findLast(({ kind, to }) => kind === 'begin' && to <= head)
  if (begin === undefined || !needsEnd(state.doc, begin)) return false
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

/** Editor support for environments. */
export const environments: Extension = [
  EditorView.decorations.compute(['doc', 'selection'], markPair),
  foldService.of(foldAt),
  keymap.of([{ key: 'Enter', run: closeEnvironment }]),
]
