/** Navigation from the source to the PDF and back. Positions in other files open them in the editor. */
import { keymap } from '@codemirror/view'
import type { EditorView } from '@codemirror/view'
import type { Extension } from '@codemirror/state'

/** Detail of the viewer's event `pdf-source`. */
interface Source {
  readonly path: string
  readonly line: number
}

/** Ctrl+Alt+J shows the line of the cursor in the PDF. */
export function synctexKeys(form: HTMLFormElement | null): Extension {
  const run = (view: EditorView): boolean => {
    if (form !== null) void showInPdf(view, form)
    return true
  }
  return keymap.of([{ key: 'Ctrl-Alt-j', preventDefault: true, run }])
}

/** Wires the button, and the places that are clicked in the PDF. */
export function wireSynctex(view: EditorView, form: HTMLFormElement, goToLine: (line: number) => void): void {
  const button = document.querySelector<HTMLElement>('[data-show-in-pdf]')
  if (button !== null) button.hidden = false
  button?.addEventListener('click', () => void showInPdf(view, form))
  findViewer()?.addEventListener('pdf-source', (event) => {
    event.preventDefault()
    const source = (event as CustomEvent<Source>).detail
    if (source.path !== form.dataset['path']) return openFile(form, source)
    showPane('source', '.cm-editor')
    goToLine(source.line)
  })
  const openPdf = (): void => void openAtCursor(view, form)
  // With drafts, the first preview has other lines than the PDF of the branch.
  if (form.dataset['previewOnOpen'] === undefined) openPdf()
  else form.addEventListener('previewed', openPdf, { once: true })
}

/**
 * The PDF opens at the line of the cursor, so a chapter is edited beside its pages. Lines without a place are ignored. At the
 * beginning of a file, which nobody has chosen, the line is not marked.
 */
async function openAtCursor(view: EditorView, form: HTMLFormElement): Promise<void> {
  const viewer = findViewer()
  const isMarked = view.state.selection.main.head > 0
  const found = await findPlace(viewer, view, form)
  if (viewer === null || found?.page === undefined) return
  const place = { ...found, isMarked }
  // The viewer may not have started.
  viewer.dataset['place'] = JSON.stringify(place)
  viewer.dispatchEvent(new CustomEvent('pdf-place', { detail: place }))
}

/** Opens another file of the branch in the editor. */
export function openFile(form: HTMLFormElement, { path, line }: Source): void {
  const address = new URL(addressOfFile(form, path), location.href)
  address.searchParams.set('line', String(line))
  const document_ = form.querySelector<HTMLInputElement>('[name=doc]')?.value ?? ''
  if (document_ !== '') address.searchParams.set('doc', document_)
  location.assign(address)
}

/** Path of the page that edits another file of the branch. */
export function addressOfFile(form: HTMLFormElement, path: string): string {
  return (form.dataset['files'] ?? '') + path.split('/').map(encodeURIComponent).join('/')
}

async function showInPdf(view: EditorView, form: HTMLFormElement): Promise<void> {
  const viewer = findViewer()
  showPane('pdf', '.editor-pdf')
  if (viewer?.dataset['synctex'] === undefined) return
  const place = await findPlace(viewer, view, form)
  const note = viewer.querySelector('[data-part=word]')
  if (note !== null) note.textContent = place?.page === undefined ? (place?.message ?? 'The PDF is not available.') : ''
  if (place?.page !== undefined) viewer.dispatchEvent(new CustomEvent('pdf-place', { detail: place }))
}

/** A place in the PDF, or why there is none. */
interface FoundPlace {
  readonly page?: number
  readonly message?: string
}

/** The place of the line at the cursor; null without a PDF or a network. */
async function findPlace(
  viewer: HTMLElement | null,
  view: EditorView,
  form: HTMLFormElement,
): Promise<FoundPlace | null> {
  const address = viewer?.dataset['synctex']
  if (address === undefined) return null
  const asked = new URL(address, location.href)
  asked.searchParams.set('path', form.dataset['path'] ?? '')
  asked.searchParams.set('line', String(view.state.doc.lineAt(view.state.selection.main.head).number))
  // Without a network: null.
  const answer = await fetch(asked, { headers: { accept: 'application/json' } }).catch(() => null)
  // Not JSON: an error page.
  return ((await answer?.json().catch(() => null)) ?? null) as FoundPlace | null
}

function findViewer(): HTMLElement | null {
  return document.querySelector<HTMLElement>('[data-viewer]')
}

/** Shows a pane that is hidden. */
export function showPane(name: string, selector: string): void {
  if (document.querySelector(selector)?.checkVisibility({ visibilityProperty: true }) === true) return
  document.querySelector<HTMLElement>(`[data-show-pane=${name}]`)?.click()
}
