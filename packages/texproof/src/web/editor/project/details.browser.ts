/** Details about a place in the text, such as what a reference refers to: on hover, and at the cursor on a key. */
import { Facet, StateEffect, StateField } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { closeHoverTooltips, EditorView, hoverTooltip, keymap, showTooltip } from '@codemirror/view'
import type { Tooltip } from '@codemirror/view'

/** Finds the details about a position, if there are any. */
type DetailSource = (view: EditorView, position: number) => Promise<Tooltip | null>

const sources = Facet.define<DetailSource>()
const show = StateEffect.define<Tooltip | null>()

/** The details shown at the cursor, until it moves or the text changes. */
const shown = StateField.define<Tooltip | null>({
  create: () => null,
  update(tooltip, transaction) {
    const asked = transaction.effects.find((effect) => effect.is(show))
    if (asked !== undefined) return asked.value
    return transaction.docChanged || transaction.selection !== undefined ? null : tooltip
  },
  provide: (field) => showTooltip.from(field),
})

const keys = keymap.of([
  { key: 'Ctrl-Alt-h', preventDefault: true, run: showAtCursor },
  { key: 'Escape', run: hide },
])

/** Shows what `source` finds. */
export function detailsFrom(source: DetailSource): Extension {
  const hovered: DetailSource = async (view, position) => {
    const found = await source(view, position)
    // The details at the cursor can be the same.
    return view.state.field(shown) === null ? found : null
  }
  return [sources.of(source), hoverTooltip(hovered), shown, keys]
}

function showAtCursor(view: EditorView): boolean {
  const { state } = view
  void Promise.all(state.facet(sources).map((find) => find(view, state.selection.main.head))).then((found) => {
    const hasMoved = view.state.doc !== state.doc || !view.state.selection.eq(state.selection)
    if (hasMoved) return
    const tooltip = found.find((candidate) => candidate !== null) ?? null
    const text = tooltip === null ? 'No details at the cursor.' : (tooltip.create(view).dom.textContent ?? '')
    view.dispatch({ effects: [show.of(tooltip), closeHoverTooltips, EditorView.announce.of(text)] })
  })
  return true
}

function hide(view: EditorView): boolean {
  if (view.state.field(shown) === null) return false
  view.dispatch({ effects: show.of(null) })
  return true
}
