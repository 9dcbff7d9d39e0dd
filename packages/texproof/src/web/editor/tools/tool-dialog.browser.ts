/** The dialogs of the editor: word count and keyboard shortcuts. */
import type { EditorView } from '@codemirror/view'

import { chooseKeyBindings, chosenKeyBindings, KEY_BINDINGS, type KeyBindings } from './key-bindings.browser.ts'

/** Opens a dialog with a title and a button that closes it. The editor has the focus afterwards. */
export function openDialog(
  view: EditorView,
  { title, className }: { readonly title: string; readonly className: string },
): HTMLDialogElement {
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) menu.open = false
  const dialog = document.createElement('dialog')
  dialog.className = `tool ${className}`
  dialog.setAttribute('aria-labelledby', 'tool-title')
  const head = dialog.appendChild(document.createElement('div'))
  head.className = 'tool-head'
  const heading = head.appendChild(document.createElement('h2'))
  heading.id = 'tool-title'
  heading.textContent = title
  const close = head.appendChild(document.createElement('button'))
  close.type = 'button'
  close.className = 'drawn-button'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    dialog.remove()
    view.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}

/** Shows the number of words, with the newest drafts. */
export async function showWordCount(view: EditorView, link: HTMLAnchorElement): Promise<void> {
  // Without a network: null.
  const answer = await fetch(link.href).catch(() => null)
  const page = answer?.ok === true ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  const counted = page?.querySelector('[data-word-count]')
  if (!counted) return location.assign(link.href)
  const dialog = openDialog(view, { title: 'Word count', className: 'word-count' })
  counted.querySelector('h1')?.remove()
  counted.querySelector('.scroll')?.setAttribute('aria-labelledby', 'tool-title')
  dialog.append(...counted.childNodes)
}

/** Shows the keyboard shortcuts listed below the editor, and a choice of key bindings. */
export function showKeyboardHelp(view: EditorView): void {
  const dialog = openDialog(view, { title: 'Keyboard shortcuts', className: 'editor-keys' })
  const list = document.querySelector('[data-editor-help] dl')?.cloneNode(true)
  if (list !== undefined) dialog.append(list)
  dialog.append(keyBindingsField(view))
}

function keyBindingsField(view: EditorView): HTMLElement {
  const field = document.createElement('p')
  field.className = 'field'
  const label = field.appendChild(document.createElement('label'))
  label.textContent = 'Key bindings'
  label.htmlFor = 'key-bindings'
  const select = field.appendChild(document.createElement('select'))
  select.id = 'key-bindings'
  for (const [value, name] of Object.entries(KEY_BINDINGS)) select.append(new Option(name, value))
  select.value = chosenKeyBindings()
  select.addEventListener('change', () => chooseKeyBindings(view, select.value as KeyBindings))
  return field
}
