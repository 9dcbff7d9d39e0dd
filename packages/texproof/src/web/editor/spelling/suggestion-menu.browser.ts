/** The menu at a misspelled word: suggestions, and the dictionaries that it can be added to. */
import { StateEffect, StateField } from '@codemirror/state'
import { keymap, showTooltip } from '@codemirror/view'
import type { EditorView, Tooltip } from '@codemirror/view'

import type { Misspelling } from './check-spelling.browser.ts'
import type { Spelling } from './spelling.browser.ts'

const setMenu = StateEffect.define<Tooltip | null>()

/** The place of the menu in the editor. */
export const suggestionMenu = StateField.define<Tooltip | null>({
  create: () => null,
  update(open, transaction) {
    for (const effect of transaction.effects) if (effect.is(setMenu)) return effect.value
    return transaction.docChanged || transaction.selection !== undefined ? null : open
  },
  provide: (field) => [showTooltip.from(field), keymap.of([{ key: 'Escape', run: (view) => closeMenu(view, field) }])],
})

/** While the menu is open, Escape in the text closes it. */
function closeMenu(view: EditorView, field: StateField<Tooltip | null>): boolean {
  if (view.state.field(field) === null) return false
  view.dispatch({ effects: setMenu.of(null) })
  return true
}

/**
 * Opens the menu at a word. A menu that was opened by key has the focus; after a click the focus stays in the text, so
 * that what is typed next is not lost.
 */
export async function openSuggestions(
  view: EditorView,
  misspelling: Misspelling,
  { spelling, isFocused }: { readonly spelling: Spelling; readonly isFocused: boolean },
): Promise<void> {
  const { doc, selection } = view.state
  const suggestions = await spelling.suggest(misspelling)
  // Meanwhile the user went on.
  if (view.state.doc !== doc || !view.state.selection.eq(selection)) return
  const tooltip: Tooltip = {
    pos: misspelling.from,
    create: () => {
      const dom = createMenu(view, { misspelling, suggestions, spelling })
      return { dom, mount: () => isFocused && dom.querySelector('button')?.focus() }
    },
  }
  view.dispatch({ effects: setMenu.of(tooltip) })
}

function createMenu(
  view: EditorView,
  {
    misspelling: { from, to, word },
    suggestions,
    spelling,
  }: { readonly misspelling: Misspelling; readonly suggestions: readonly string[]; readonly spelling: Spelling },
): HTMLElement {
  const menu = document.createElement('div')
  menu.className = 'spelling-menu'
  menu.setAttribute('role', 'menu')
  menu.setAttribute('aria-label', `Suggestions for ${word}`)
  const close = (): void => {
    view.dispatch({ effects: setMenu.of(null) })
    view.focus()
  }
  const item = (text: string, run: () => void): HTMLButtonElement => {
    const button = menu.appendChild(document.createElement('button'))
    button.type = 'button'
    button.setAttribute('role', 'menuitem')
    button.textContent = text
    button.addEventListener('click', run)
    return button
  }
  for (const suggestion of suggestions)
    item(suggestion, () => {
      view.dispatch({ changes: { from, to, insert: suggestion }, selection: { anchor: from + suggestion.length } })
      view.focus()
    }).className = 'suggestion'
  for (const [dictionary, text] of [
    ['own', 'Add to your dictionary'],
    ['project', 'Add to project dictionary'],
  ] as const) {
    const button = item(text, async () => {
      const problem = await spelling.change(word, { dictionary, act: 'add' })
      if (problem === null) close()
      else button.textContent = problem
    })
  }
  // A click on a button leaves the focus, and the keyboard of a phone, where it is.
  menu.addEventListener('mousedown', (event) => event.preventDefault())
  menu.addEventListener('keydown', (event) => {
    // Letters are shortcuts of the page.
    event.stopPropagation()
    const buttons = [...menu.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length]?.focus()
    else if (event.key === 'ArrowUp') buttons.at(at - 1)?.focus()
    else return
    event.preventDefault()
  })
  return menu
}
