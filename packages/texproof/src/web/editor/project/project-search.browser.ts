/** Search and replace in all files of the branch, above the text. Typing shows matches and what would replace them. */
import type { EditorView } from '@codemirror/view'

import { button, checkbox, input, make, plural } from './elements.browser.ts'
import { postProject } from './post-project.browser.ts'
import type { ProjectEditor } from './project-edits.browser.ts'

interface Match {
  readonly line: number
  readonly before: string
  readonly matched: string
  readonly after: string
  readonly replacement: string
}

interface FoundFile {
  readonly path: string
  readonly version: string
  readonly count: number
  readonly matches: readonly Match[]
}

interface Found {
  readonly files: readonly FoundFile[]
  readonly isLimited: boolean
  readonly isComplete: boolean
}

interface Replaced {
  readonly files: readonly { readonly path: string; readonly count: number; readonly outcome: string }[]
}

type Fields = readonly (readonly [name: string, value: string])[]

const AFTER_MS = 250
const FLAGS: readonly string[] = ['case', 'regex']

/** Why a file was not changed. */
const REFUSALS: Readonly<Record<string, string>> = {
  conflict: 'has changed: review its matches again',
  'too-long': 'would be larger than 1 MB',
  'too-many-drafts': 'was not changed, because you have too many drafts: commit or discard some',
}

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

function createPanel(view: EditorView, { form: editForm, key, openPlace, onWritten }: SearchEditor) {
  const form = document.createElement('form')
  const text = input('text', 'Search')
  const replacement = input('replacement', 'Replace with')
  const search = button('Search', 'drawn-button')
  search.type = 'submit'
  const close = button('Close', 'plain-button')
  const status = make('p', { className: 'quiet', role: 'status' })
  const outcome = make('p', { role: 'status' })
  const list = make('ol', {})
  const replace = button('Replace', 'drawn-button')
  const title = make('h2', { id: 'project-search-title', textContent: 'Search the project' })
  form.append(text.label, replacement.label, checkbox('case', 'Match case'), checkbox('regex', 'Regular expression'))
  form.append(search, replace)
  const head = make('div', { className: 'project-search-head' })
  head.append(title, close)
  const panel = make('section', { className: 'project-search' })
  panel.setAttribute('aria-labelledby', title.id)
  panel.append(head, form, outcome, status, list)
  document.querySelector('.editor-source')?.prepend(panel)

  const skipped = new Set<string>()
  let found: readonly FoundFile[] = []
  let shown: Fields = []
  let running: AbortController | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const chosen = (): readonly FoundFile[] => found.filter(({ path }) => !skipped.has(path))
  const isDeletion = (): boolean => replacement.field.value === ''
  const label = (): void => {
    const count = countMatches(chosen())
    const verb = isDeletion() ? 'Delete' : 'Replace'
    // A deletion asks first: the field may be empty because only a search was meant.
    replace.textContent = count === 0 ? verb : `${verb} ${plural(count, 'match', 'matches')}${isDeletion() ? '…' : ''}`
    replace.disabled = count === 0
  }
  const show = (files: readonly FoundFile[], message: string): void => {
    found = files
    status.textContent = message
    const toggle = (path: string, isChosen: boolean): void => {
      if (isChosen) skipped.delete(path)
      else skipped.add(path)
      outcome.textContent = ''
      label()
    }
    const hasReplacement = !isDeletion()
    list.replaceChildren(
      ...files.map((file) =>
        fileItem(file, { isChosen: !skipped.has(file.path), hasReplacement, toggle, open: openPlace }),
      ),
    )
    label()
  }
  const run = async (): Promise<void> => {
    clearTimeout(timer)
    running?.abort()
    shown = readFields(form)
    keep(key, shown)
    if (text.field.value === '') return show([], '')
    running = new AbortController()
    status.textContent = 'Searching…'
    const { signal } = running
    const answer = await postProject<Found>(editForm, editForm.dataset['search'] ?? '', { fields: shown, signal })
    if (answer.kind === 'cancelled' || signal.aborted) return
    if (answer.kind === 'problem') return show([], answer.problem)
    show(answer.result.files, summary(answer.result))
  }
  const replaceAll = async (): Promise<void> => {
    const fields = [...shown, ...chosen().map(({ path, version }) => ['file', `${version} ${path}`] as const)]
    // A disabled button loses the focus.
    if (replace.matches(':focus-visible')) text.field.focus()
    replace.disabled = true
    const answer = await postProject<Replaced>(editForm, editForm.dataset['replace'] ?? '', { fields })
    if (answer.kind !== 'done') {
      outcome.textContent = answer.kind === 'problem' ? answer.problem : ''
      return label()
    }
    outcome.textContent = describe(answer.result, isDeletion() ? 'Deleted' : 'Replaced')
    onWritten()
    await run()
  }

  const askToDelete = (): void => {
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

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    outcome.textContent = ''
    void run()
  })
  form.addEventListener('input', () => {
    // What is replaced is what the list shows.
    replace.disabled = true
    outcome.textContent = ''
    status.textContent = 'Searching…'
    clearTimeout(timer)
    running?.abort()
    timer = setTimeout(() => void run(), AFTER_MS)
  })
  replace.addEventListener('click', () => (isDeletion() ? askToDelete() : void replaceAll()))
  const end = (): void => {
    clearTimeout(timer)
    running?.abort()
    panel.remove()
    opened = null
    keep(key, null)
    view.focus()
  }
  close.addEventListener('click', end)
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // The page would take the focus away again.
    event.stopPropagation()
    end()
  })
  restore(key, form)
  void run()
  return {
    focus(selected: string): void {
      if (selected !== '') text.field.value = selected
      text.field.focus()
      text.field.select()
      if (selected !== '') void run()
    },
  }
}

interface FileView {
  readonly isChosen: boolean
  readonly hasReplacement: boolean
  readonly toggle: (path: string, isChosen: boolean) => void
  readonly open: ProjectEditor['openPlace']
}

function fileItem({ path, count, matches }: FoundFile, { isChosen, hasReplacement, toggle, open }: FileView) {
  const box = make('input', { type: 'checkbox', checked: isChosen })
  box.addEventListener('change', () => toggle(path, box.checked))
  const label = make('label', {})
  label.append(box, ` ${path} `, make('span', { className: 'quiet', textContent: plural(count, 'match', 'matches') }))
  const lines = make('ul', {})
  lines.append(
    ...matches.map((match) => {
      const line = button('', 'plain-button')
      line.append(
        make('span', { className: 'quiet', textContent: String(match.line) }),
        ' ',
        ...matchText(match, hasReplacement),
      )
      line.addEventListener('click', () => open({ path, line: match.line }))
      const item = document.createElement('li')
      item.append(line)
      return item
    }),
  )
  if (count > matches.length)
    lines.append(make('li', { className: 'quiet', textContent: `and ${count - matches.length} more` }))
  const item = document.createElement('li')
  item.append(label, lines)
  return item
}

/** The line of a match, with what replaces it. */
function matchText({ before, matched, after, replacement }: Match, hasReplacement: boolean): (Node | string)[] {
  const code = document.createElement('code')
  const visible = matched.replaceAll('\n', '↵')
  code.append(
    before,
    ...(hasReplacement
      ? [make('del', { textContent: visible }), make('ins', { textContent: replacement.replaceAll('\n', '↵') })]
      : [make('mark', { textContent: visible })]),
    after,
  )
  return [code]
}

function countMatches(files: readonly FoundFile[]): number {
  return files.reduce((sum, { count }) => sum + count, 0)
}

function summary({ files, isLimited, isComplete }: Found): string {
  const count = countMatches(files)
  const unread = isComplete ? '' : ' Not all files were searched: the branch is too large.'
  if (count === 0) return `No matches.${unread}`
  const more = isLimited ? ' There may be more: refine the search.' : ''
  return `${plural(count, 'match', 'matches')} in ${plural(files.length, 'file', 'files')}.${more}${unread}`
}

function describe({ files }: Replaced, verb: 'Deleted' | 'Replaced'): string {
  const saved = files.filter(({ outcome }) => outcome === 'saved')
  const count = saved.reduce((sum, file) => sum + file.count, 0)
  const failed = files
    .filter(({ outcome }) => outcome !== 'saved')
    .map(({ path, outcome }) => `${path} ${REFUSALS[outcome] ?? 'was not changed'}.`)
  const done =
    saved.length === 0
      ? []
      : [
          `${verb} ${plural(count, 'match', 'matches')} in ${plural(saved.length, 'draft', 'drafts')}.`,
          'To undo, discard the drafts. This also discards earlier changes in them that are not committed.',
        ]
  return [...done, ...failed].join(' ')
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
