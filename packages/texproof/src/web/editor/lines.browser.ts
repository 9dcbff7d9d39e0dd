/** Lines of the editor: their problems, the one to show, and their print. */
import { foldedRanges, unfoldEffect } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import type { Diagnostic } from '@codemirror/lint'
import { Compartment, StateEffect, StateField } from '@codemirror/state'
import { Decoration, EditorView } from '@codemirror/view'
import type { DecorationSet } from '@codemirror/view'

/** A problem of the last build, as the page contains it. */
export interface LineProblem {
  /** 1 = the first. */
  readonly line: number
  readonly severity: 'error' | 'warning'
  readonly message: string
}

/** Underlines the lines with problems and marks them in the margin. */
export function showProblems(view: EditorView, problems: readonly LineProblem[]): void {
  const { doc } = view.state
  const diagnostics = problems.flatMap(({ line, severity, message }): Diagnostic[] => {
    if (line > doc.lines) return []
    const { from, to, text } = doc.line(line)
    return [{ from: from + (text.length - text.trimStart().length), to, severity, message }]
  })
  view.dispatch(setDiagnostics(view.state, diagnostics))
}

/**
 * Measures the lines when a font arrives: they may wrap elsewhere, and their numbers must follow. A requested
 * measurement is skipped while the height of the content is the same, and a short text always fills the editor. A change
 * of the theme is not skipped.
 */
export function measureWithFonts(view: EditorView): void {
  const place = new Compartment()
  const otherTheme = EditorView.theme({})
  view.dispatch({ effects: StateEffect.appendConfig.of(place.of([])) })
  document.fonts.addEventListener('loadingdone', () =>
    view.dispatch({ effects: place.reconfigure(place.get(view.state) === otherTheme ? [] : otherTheme) }),
  )
}

/** Goes to the line of the address, or of the page; later, to every line that the address names. */
export function followRequestedLine(view: EditorView, area: HTMLTextAreaElement): void {
  const follow = (preset: string | undefined): void => {
    const line = Number(/^#L(\d+)/.exec(location.hash)?.[1] ?? preset ?? 0)
    // A list of problems keeps the focus.
    if (line > 0 && document.getElementById('problem') === null) goToLine(view, line)
  }
  follow(area.dataset['line'])
  addEventListener('hashchange', () => follow(undefined))
}

const mark = StateEffect.define<number>()
const marked = Decoration.line({ class: 'cm-requested-line' })

/** Marks the line to show until the cursor moves or the text changes. */
export const requestedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, { effects, docChanged, selection }) {
    const requested = effects.find((effect) => effect.is(mark))
    if (requested !== undefined) return Decoration.set(marked.range(requested.value))
    return docChanged || selection !== undefined ? Decoration.none : lines
  },
  provide: (field) => EditorView.decorations.from(field),
})

/**
 * Puts the cursor at the beginning of a line, in the middle of the window. The line is not selected: a paragraph can be
 * one line, and the next key would replace it. Text that is folded there unfolds.
 */
export function goToLine(view: EditorView, line: number): void {
  const { from, to, text } = view.state.doc.line(Math.min(line, view.state.doc.lines))
  const effects: StateEffect<unknown>[] = [EditorView.scrollIntoView(from, { y: 'center' }), mark.of(from)]
  foldedRanges(view.state).between(from, to, (foldFrom, foldTo) => {
    if (foldFrom < to && foldTo > from) effects.push(unfoldEffect.of({ from: foldFrom, to: foldTo }))
  })
  view.focus()
  view.dispatch({ selection: { anchor: from + (text.length - text.trimStart().length) }, effects })
}

/**
 * Prints all lines: of a long text, the editor contains only those in view. The style sheet shows the list in place of the
 * editor.
 */
export function wirePrinting(view: EditorView): void {
  const printed = document.createElement('ol')
  printed.className = 'printed-text printed-only'
  view.dom.after(printed)
  addEventListener('beforeprint', () => {
    const lines = view.state.doc.toJSON()
    printed.replaceChildren(...lines.map((text) => Object.assign(document.createElement('li'), { textContent: text })))
  })
  addEventListener('afterprint', () => printed.replaceChildren())
}
