/** The menu at a misspelled word: suggestions, and the dictionaries that it can be added to. */
import { StateEffect, StateField } from '@codemirror/state'
import { showTooltip } from '@codemirror/view'
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
  provide: (field) => showTooltip.from(field),
})

/** Opens the menu at a word, with the focus on the first suggestion. */
export async function openSuggestions(view: EditorView, misspelling: Misspelling, spelling: Spelling): Promise<void> {
  const { doc } = view.state
  const suggestions = await spelling.suggest(misspelling)
  if (view.state.doc !== doc) return
  const tooltip: Tooltip = {
    pos: misspelling.from,
    create: () => ({
      dom: createMenu(view, { misspelling, suggestions, spelling }),
      mount: () => view.dom.querySelector<HTMLElement>('.spelling-menu button')?.focus(),
    }),
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
  menu.addEventListener('keydown', (event) => {
    const buttons = [...menu.querySelectorAll('button')]
    const at = buttons.findIndex((button) => button === document.activeElement)
    if (event.key === 'Escape' || event.key === 'Tab') close()
    else if (event.key === 'ArrowDown') buttons[(at + 1) % buttons.length]?.focus()
    else if (event.key === 'ArrowUp') buttons.at(at - 1)?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  })
  return menu
}
