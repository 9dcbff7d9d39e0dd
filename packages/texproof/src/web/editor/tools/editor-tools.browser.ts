/** The tools in the menu of the editor and its paste handlers. Their scripts are loaded on first use. */
import { EditorView, keymap } from '@codemirror/view'
import type { Extension } from '@codemirror/state'

import { sayNotice } from '../draft-status.browser.ts'

import type { Project } from '../project.browser.ts'
import { createPastePlaces } from './paste-places.browser.ts'

const IMAGE = /^(?:image\/(?:png|jpeg)|application\/pdf)$/

/** Wires the tools of the page. */
export function wireEditorTools(view: EditorView): void {
  const words = document.querySelector<HTMLAnchorElement>('a[data-words]')
  words?.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void import('./tool-dialog.browser.ts').then(({ showWordCount }) => showWordCount(view, words))
  })
  const tools = [
    ['[data-insert]', openPalette],
    ['[data-keyboard]', openHelp],
  ] as const
  for (const [selector, open] of tools) {
    const button = document.querySelector<HTMLButtonElement>(selector)
    if (button === null) continue
    button.hidden = false
    button.addEventListener('click', () => open(view))
  }
}

/** Longer HTML is pasted as plain text. */
const MAX_TABLE_LENGTH = 500_000

/** Keyboard shortcuts of the tools, and handlers for pasted tables, images and bibliography entries. */
export function editorTools(form: HTMLFormElement, project: Project): Extension {
  const isTex = /\.(?:tex|ltx)$/i.test(form.dataset['path'] ?? '')
  const isBibliography = /\.bib$/i.test(form.dataset['path'] ?? '')
  let isPlainText = false
  const places = createPastePlaces()
  const findImages = (transfer: DataTransfer | null): readonly File[] =>
    isTex ? [...(transfer?.files ?? [])].filter(({ type }) => IMAGE.test(type)) : []
  const takeImages = (view: EditorView, files: readonly File[]): boolean => {
    if (files.length === 0) return false
    const { from, to } = view.state.selection.main
    const replaced = view.state.sliceDoc(from, to)
    const insert = places.open(view)
    void import('./paste.browser.ts')
      .then(({ uploadImages }) => uploadImages({ files, form, project }))
      .catch(() => {
        // The script cannot be loaded.
        sayNotice('The upload failed. Try again.')
        return ''
      })
      .then((code) => (code === '' ? insert(replaced) : insert(code, 'lines')))
    return true
  }
  return [
    places.extension,
    keymap.of([
      { key: 'Ctrl-Alt-i', preventDefault: true, run: (view) => openPalette(view) },
      { key: 'F1', preventDefault: true, run: (view) => openHelp(view) },
    ]),
    EditorView.domEventHandlers({
      keydown: ({ key, shiftKey }) => {
        isPlainText = shiftKey && key.toLowerCase() === 'v'
        return false
      },
      paste: ({ clipboardData }, view) => {
        if (isPlainText || clipboardData === null) return false
        const [html, text] = [clipboardData.getData('text/html'), clipboardData.getData('text/plain')]
        // Without the script that converts it, the plain text is pasted.
        const orPlain = (): string => text
        // A tab after a text separates cells; copied lines of a source have tabs only in their indentation.
        if (isTex && html.length <= MAX_TABLE_LENGTH && /<table[\s>]/i.test(html) && /\S\t/.test(text)) {
          const insert = places.open(view)
          void import('./paste.browser.ts')
            .then(({ convertTable }) => convertTable({ html, text, project }))
            .catch(orPlain)
            .then(insert)
          return true
        }
        if (isBibliography && /^\s*@[a-zA-Z]+\s*\{/.test(text)) {
          const insert = places.open(view)
          void import('./paste.browser.ts')
            .then(({ tidyPastedEntries }) => tidyPastedEntries(view, { text, project }))
            .catch(orPlain)
            .then(insert)
          return true
        }
        return text === '' && takeImages(view, findImages(clipboardData))
      },
      drop: (event, view) => {
        const files = findImages(event.dataTransfer)
        if (files.length === 0) return false
        event.preventDefault()
        // The pictures go to the selection, which may be elsewhere.
        view.dispatch({ selection: { anchor: view.posAtCoords({ x: event.clientX, y: event.clientY }, false) } })
        return takeImages(view, files)
      },
    }),
  ]
}

function openPalette(view: EditorView): boolean {
  void import('./palette.browser.ts').then((palette) => palette.openPalette(view))
  return true
}

function openHelp(view: EditorView): boolean {
  void import('./tool-dialog.browser.ts').then(({ showKeyboardHelp }) => showKeyboardHelp(view))
  return true
}
