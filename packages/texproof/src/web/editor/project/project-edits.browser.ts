/** Changes across the files of the project. Their scripts are loaded on first use. */
import type { EditorView } from '@codemirror/view'

import type { SourcePlace } from '../references.browser.ts'
import type * as ProjectSearch from './project-search.browser.ts'

/** The editor, and what changes of other files need. */
export interface ProjectEditor {
  readonly form: HTMLFormElement
  openPlace(place: SourcePlace): void
  /** Called when drafts of files were written. */
  onWritten(): void
}

/** Wires F2, Ctrl+Shift+F and its button. A search stays open when a match opens another file. */
export function wireProjectEdits(view: EditorView, editor: ProjectEditor): void {
  // Where the browser keeps the open search of a branch until its tab closes.
  const key = `texproof-search ${editor.form.dataset['files']}`
  let script: typeof ProjectSearch | null = null
  const search = async (isContinued: boolean): Promise<void> => {
    // Once loaded, it opens at once: opened later, the selection would replace what is typed in the field meanwhile.
    script ??= await import('./project-search.browser.ts')
    script.openProjectSearch(view, { ...editor, key, isContinued })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'F2' && view.hasFocus) {
      event.preventDefault()
      void import('./rename.browser.ts').then(({ openRename }) => openRename(view, editor))
    }
    if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== 'f') return
    event.preventDefault()
    // With Caps Lock, the editor would take it for Ctrl+F.
    event.stopPropagation()
    void search(false)
  }
  document.addEventListener('keydown', onKeyDown, { capture: true })
  const button = document.querySelector<HTMLElement>('[data-project-search]')
  button?.addEventListener('click', () => void search(false))
  if (button !== null) button.hidden = false
  if (hasOpenSearch(key)) void search(true)
}

function hasOpenSearch(key: string): boolean {
  try {
    return sessionStorage.getItem(key) !== null
  } catch {
    // Storage is blocked: a search ends with its page.
    return false
  }
}
