/** Stores what is typed: over a live connection, with forms, or not at all. */
import { Prec, StateEffect } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'

import { keepDraft } from './drafts.browser.ts'
import { refreshFiles } from './files/file-list.browser.ts'
import { wirePreview } from './preview.browser.ts'
import type { Compile } from './preview.browser.ts'
import type { SourcePlace } from './references.browser.ts'
import type { SharedText } from './shared/shared-text.browser.ts'

/** How long typing pauses before the field is filled. */
const FILL_AFTER_MS = 150

/**
 * Stores changes of the text, over a live connection if there can be one, and previews them. Call the result
 * when drafts of other files were stored.
 */
export function wireDraft(
  view: EditorView,
  {
    form,
    address,
    shared,
    onStored,
    showProblems,
    openPlace,
  }: {
    readonly form: HTMLFormElement
    readonly address: string
    readonly shared: SharedText | null
    readonly onStored: () => void
    readonly showProblems: (problems: readonly unknown[]) => void
    readonly openPlace: (place: SourcePlace) => void
  },
): () => void {
  const preview = form.dataset['preview']
  const compile: Compile =
    preview === undefined
      ? () => {}
      : wirePreview({
          form,
          address: preview,
          editedLine: () => view.state.doc.lineAt(view.state.selection.main.head).number,
          sent: () => shared?.sent() ?? null,
          showProblems,
          openPlace,
        })
  if (preview !== undefined) wireBuild(view, () => compile('here'))
  const stored = (): void => {
    onStored()
    compile('here')
  }
  const received = (): void => {
    onStored()
    compile('elsewhere')
  }
  const opened = shared?.text ?? view.state.doc.toString()
  const fallBack = (): void => keepInForm(view, { form, address, opened, onStored: stored })
  if (shared === null) fallBack()
  else
    shared.connect(view, {
      onSent: () => compile('here'),
      onStored,
      onReceived: received,
      onBranchMoved: showFilesOfBranch,
      fallBack,
    })
  // The PDF of the branch lacks the drafts.
  if (form.dataset['previewOnOpen'] !== undefined) compile('here')
  return stored
}

function showFilesOfBranch(): void {
  const list = document.querySelector<HTMLElement>('.editor-files')
  if (list !== null) void refreshFiles(list)
}

/** The button and the key that build what is stored. */
function wireBuild(view: EditorView, compile: () => void): void {
  const button = document.querySelector<HTMLElement>('[data-build]')
  if (button !== null) button.hidden = false
  button?.addEventListener('click', compile)
  const run = (): boolean => {
    compile()
    return true
  }
  view.dispatch({ effects: StateEffect.appendConfig.of(Prec.high(keymap.of([{ key: 'Mod-Enter', run }]))) })
}

/** Sends whole texts where there can be no live connection. */
function keepInForm(
  view: EditorView,
  {
    form,
    address,
    opened,
    onStored,
  }: {
    readonly form: HTMLFormElement
    readonly address: string
    readonly opened: string
    readonly onStored: () => void
  },
): void {
  const changed = keepDraft({
    form,
    address,
    opened,
    read: () => view.state.doc.toString(),
    replace: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    onStored,
  })
  view.dispatch({
    effects: StateEffect.appendConfig.of(EditorView.updateListener.of(({ docChanged }) => docChanged && changed())),
  })
}

/** Warns before changes are lost that nothing stores. */
export function guard(view: EditorView, { form }: HTMLTextAreaElement): void {
  const opened = view.state.doc
  let isSent = false
  // A panel of the editor has a form of its own.
  form?.addEventListener('submit', ({ target }) => (isSent ||= target === form))
  addEventListener('pageshow', () => (isSent = false))
  addEventListener('beforeunload', (event) => {
    const isUnsaved = !view.state.doc.eq(opened) || form?.dataset['unsaved'] !== undefined
    if (!isSent && isUnsaved) event.preventDefault()
  })
}

/** Fills the field when typing pauses, for the browser, which restores forms. */
export function fillField(area: HTMLTextAreaElement): Extension {
  let timer: ReturnType<typeof setTimeout> | undefined
  return EditorView.updateListener.of(({ docChanged, view }) => {
    if (!docChanged) return
    clearTimeout(timer)
    timer = setTimeout(() => (area.value = view.state.doc.toString()), FILL_AFTER_MS)
  })
}
