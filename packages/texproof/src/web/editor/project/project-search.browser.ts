/** Search and replace in all files of the branch, above the text. Typing shows matches and what would replace them. */
import type { EditorView } from '@codemirror/view'

import { button, checkbox, input, make, plural } from './elements.browser.ts'
import { countMatches, describe, fileItem, summary } from './found-files.browser.ts'
import type { Found, FoundFile, Replaced } from './found-files.browser.ts'
import { postProject } from './post-project.browser.ts'
import type { ProjectEditor } from './project-edits.browser.ts'

type Fields = readonly (readonly [name: string, value: string])[]

const AFTER_MS = 250
const FLAGS: readonly string[] = ['case', 'regex']

let opened: { focus(text: string): void } | null = null

interface SearchEditor extends ProjectEditor {
  /** Key in the session storage. */
  readonly key: string
}

/** Opens the panel, with the selected text; `isContinued` = as it was on the last page. */
export function openProjectSearch(view: EditorView, editor: SearchEditor & { readonly isContinued: boolean }): void {
  const { from, to } = view.state.selection.main
  const line = view.state.doc.lineAt(from)
  // A link to a line selects all of it.
  const selected = to > line.to || (from === line.from && to === line.to) ? '' : view.state.sliceDoc(from, to)
  opened ??= createPanel(view, editor)
  if (!editor.isContinued) opened.focus(selected)
}

/** The fields, buttons and messages of the panel. */
function drawPanel() {
  const panel = make('section', { className: 'project-search' })
  const head = make('div', { className: 'project-search-head' })
  const title = make('h2', { id: 'project-search-title', textContent: 'Search the project' })
  const close = button('Close', 'plain-button')
  const form = document.createElement('form')
  const text = input('text', 'Search')
  const replacement = input('replacement', 'Replace with')
  const search = button('Search', 'drawn-button')
  const replace = button('Replace', 'drawn-button')
  const outcome = make('p', { role: 'status' })
  const status = make('p', { className: 'quiet', role: 'status' })
  const list = make('ol', {})
  search.type = 'submit'
  head.append(title, close)
  form.append(text.label, replacement.label, checkbox('case', 'Match case'), checkbox('regex', 'Regular expression'))
  form.append(search, replace)
  panel.setAttribute('aria-labelledby', title.id)
  panel.append(head, form, outcome, status, list)
  return { panel, close, form, text: text.field, replacement: replacement.field, replace, outcome, status, list }
}

function createPanel(view: EditorView, { form: editForm, key, openPlace, onWritten }: SearchEditor) {
  const drawn = drawPanel()
  const { form, text, replacement, replace, outcome, status, list } = drawn
  const skipped = new Set<string>()
  let found: readonly FoundFile[] = []
  /** The fields of the search that the list shows. */
  let shown: Fields = []
  let running: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function chosen(): readonly FoundFile[] {
    return found.filter(({ path }) => !skipped.has(path))
  }

  function isDeletion(): boolean {
    return replacement.value === ''
  }

  function labelButton(): void {
    const count = countMatches(chosen())
    const verb = isDeletion() ? 'Delete' : 'Replace'
    // A deletion asks first: the field may be empty because only a search was meant.
    replace.textContent = count === 0 ? verb : `${verb} ${plural(count, 'match', 'matches')}${isDeletion() ? '…' : ''}`
    replace.disabled = count === 0
  }

  function toggle(path: string, isChosen: boolean): void {
    if (isChosen) skipped.delete(path)
    else skipped.add(path)
    outcome.textContent = ''
    labelButton()
  }

  function show(files: readonly FoundFile[], message: string): void {
    found = files
    status.textContent = message
    const shared = { hasReplacement: !isDeletion(), toggle, open: openPlace }
    list.replaceChildren(...files.map((file) => fileItem(file, { isChosen: !skipped.has(file.path), ...shared })))
    labelButton()
  }

  function stop(): void {
    clearTimeout(timer)
    running?.abort()
  }

  async function run(): Promise<void> {
    stop()
    shown = readFields(form)
    keep(key, shown)
    if (text.value === '') return show([], '')
    running = new AbortController()
    status.textContent = 'Searching…'
    const { signal } = running
    const answer = await postProject<Found>(editForm, editForm.dataset['search'] ?? '', { fields: shown, signal })
    if (answer.kind === 'cancelled' || signal.aborted) return
    if (answer.kind === 'problem') return show([], answer.problem)
    show(answer.result.files, summary(answer.result))
  }

  /** Replaces what the list shows. */
  async function replaceAll(): Promise<void> {
    const fields = [...shown, ...chosen().map(({ path, version }) => ['file', `${version} ${path}`] as const)]
    // A disabled button loses the focus.
    if (replace.matches(':focus-visible')) text.focus()
    replace.disabled = true
    const answer = await postProject<Replaced>(editForm, editForm.dataset['replace'] ?? '', { fields })
    if (answer.kind !== 'done') {
      outcome.textContent = answer.kind === 'problem' ? answer.problem : ''
      return labelButton()
    }
    outcome.textContent = describe(answer.result, isDeletion() ? 'Deleted' : 'Replaced')
    onWritten()
    await run()
  }

  function askToDelete(): void {
    const files = chosen()
    const question = `Delete ${plural(countMatches(files), 'match', 'matches')} in ${plural(files.length, 'file', 'files')}?`
    const confirm = button('Delete', 'drawn-button')
    const cancel = button('Cancel', 'plain-button')
    const answer = (isConfirmed: boolean): void => {
      outcome.textContent = ''
      replace.focus()
      if (isConfirmed) void replaceAll()
    }
    confirm.addEventListener('click', () => answer(true))
    cancel.addEventListener('click', () => answer(false))
    outcome.replaceChildren(question, ' ', confirm, ' ', cancel)
    cancel.focus()
  }

  function close(): void {
    stop()
    drawn.panel.remove()
    opened = null
    keep(key, null)
    view.focus()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    outcome.textContent = ''
    void run()
  })
  form.addEventListener('input', () => {
    stop()
    // The list no longer shows what would be replaced.
    replace.disabled = true
    outcome.textContent = ''
    status.textContent = 'Searching…'
    timer = setTimeout(() => void run(), AFTER_MS)
  })
  replace.addEventListener('click', () => (isDeletion() ? askToDelete() : void replaceAll()))
  drawn.close.addEventListener('click', close)
  drawn.panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // The page would take the focus away again.
    event.stopPropagation()
    close()
  })
  document.querySelector('.editor-source')?.prepend(drawn.panel)
  restore(key, form)
  void run()
  return {
    focus(selected: string): void {
      if (selected !== '') text.value = selected
      text.focus()
      text.select()
      if (selected !== '') void run()
    },
  }
}

function readFields(form: HTMLFormElement): Fields {
  return [...new FormData(form)].map(([name, value]) => [name, String(value)] as const)
}

/** Keeps the search for the next page of this tab; null = it was closed. */
function keep(key: string, fields: Fields | null): void {
  try {
    if (fields === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(fields))
  } catch {
    // Storage is blocked: the search ends with this page.
  }
}

function restore(key: string, form: HTMLFormElement): void {
  let fields: Fields = []
  try {
    fields = JSON.parse(sessionStorage.getItem(key) ?? '[]') as Fields
  } catch {
    // Storage is blocked: the fields stay empty.
  }
  for (const [name, value] of fields) {
    const field = form.elements.namedItem(name)
    if (!(field instanceof HTMLInputElement)) continue
    if (FLAGS.includes(name)) field.checked = true
    else field.value = value
  }
}
