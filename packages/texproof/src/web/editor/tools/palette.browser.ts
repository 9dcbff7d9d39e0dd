/** The palette: symbols and snippets, found by name and inserted at the cursor. */
import { snippet } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

import { SNIPPETS, SYMBOL_GROUPS } from './symbols.browser.ts'
import { openDialog } from './tool-dialog.browser.ts'

/** Opens the palette. Enter inserts the first match. */
export function openPalette(view: EditorView): void {
  const dialog = openDialog(view, { title: 'Insert', className: 'palette' })
  const field = dialog.appendChild(document.createElement('input'))
  field.type = 'search'
  field.placeholder = 'Search symbols and snippets'
  field.setAttribute('aria-label', 'Search symbols and snippets')
  const insert = (act: () => void): void => {
    dialog.close()
    act()
  }
  const snippets = SNIPPETS.map(({ name, text }) => {
    const button = newButton(name, name, () =>
      insert(() => {
        const { from, to } = view.state.selection.main
        snippet(text)(view, null, from, to)
      }),
    )
    button.dataset['words'] = name.toLowerCase()
    return button
  })
  const groups = [
    addGroup('Snippets', snippets),
    ...SYMBOL_GROUPS.map(({ name, symbols }) =>
      addGroup(
        name,
        toPairs(symbols.split(' ')).map(([command, character]) => {
          const button = newButton(character, command, () => insert(() => insertSymbol(view, command)))
          button.dataset['words'] = `${command} ${character} ${name}`.toLowerCase()
          return button
        }),
      ),
    ),
  ]
  dialog.append(...groups)
  const shown = (): readonly HTMLButtonElement[] => [
    ...dialog.querySelectorAll<HTMLButtonElement>('.palette-items > :not([hidden])'),
  ]
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().trim()
    for (const group of groups) {
      const items = [...group.querySelectorAll<HTMLButtonElement>('.palette-items > *')]
      for (const item of items) item.hidden = item.dataset['words']?.includes(words) !== true
      group.hidden = items.every(({ hidden }) => hidden)
    }
  })
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    shown()[0]?.click()
  })
  field.focus()
}

function addGroup(name: string, items: readonly HTMLElement[]): HTMLElement {
  const group = document.createElement('section')
  group.appendChild(document.createElement('h3')).textContent = name
  const list = group.appendChild(document.createElement('div'))
  list.className = 'palette-items'
  list.append(...items)
  return group
}

function newButton(text: string, title: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'drawn-button'
  button.textContent = text
  button.title = title
  button.setAttribute('aria-label', title)
  button.addEventListener('click', act)
  return button
}

function toPairs(list: readonly string[]): readonly (readonly [string, string])[] {
  return list.flatMap((item, at) => (at % 2 === 0 ? [[item, list[at + 1] ?? ''] as const] : []))
}

/** Inserts a command; the cursor is in its braces, or after it. */
function insertSymbol(view: EditorView, command: string): void {
  const { from, to } = view.state.selection.main
  const next = view.state.sliceDoc(to, to + 1)
  const text = /[a-zA-Z]$/.test(command) && /[a-zA-Z]/.test(next) ? `${command} ` : command
  const anchor = from + (command.endsWith('{}') ? text.length - 1 : text.length)
  view.dispatch({
    changes: { from, to, insert: text },
    selection: { anchor },
    userEvent: 'input.complete',
    scrollIntoView: true,
  })
}
