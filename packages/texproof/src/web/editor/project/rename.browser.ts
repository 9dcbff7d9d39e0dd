/** Renaming of the label or citation key at the cursor, in all files of the branch. */
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

import { findReference } from '../references.browser.ts'
import { button, input, make, plural } from './elements.browser.ts'
import { postProject } from './post-project.browser.ts'
import type { ProjectEditor } from './project-edits.browser.ts'

interface Name {
  readonly kind: 'label' | 'citation'
  readonly name: string
}

interface Renamed {
  readonly count: number
  readonly fileCount: number
  readonly failed: readonly { readonly path: string }[]
}

/** Asks for the new name of the label or key at the cursor. Does nothing elsewhere. */
export function openRename(view: EditorView, { form, onWritten }: ProjectEditor): void {
  const found = findName(view.state, form.dataset['path'] ?? '')
  if (found === null) return
  document.querySelector('.rename')?.remove()
  let from = found.name
  const term = found.kind === 'label' ? 'label' : 'citation key'
  const panel = make('form', { className: 'project-search rename' })
  const { field, label } = input('to', `New name of the ${term}`)
  field.value = from
  field.maxLength = 200
  const rename = button('Rename', 'drawn-button')
  rename.type = 'submit'
  const close = button('Close', 'plain-button')
  const status = make('p', { role: 'status' })
  panel.append(label, rename, close, status)
  document.querySelector('.editor-source')?.prepend(panel)
  field.focus()
  field.select()
  const end = (): void => {
    panel.remove()
    view.focus()
  }
  const submit = async (): Promise<void> => {
    const to = field.value.trim()
    // A disabled button loses the focus.
    if (rename.matches(':focus-visible')) field.focus()
    rename.disabled = true
    const fields = [['kind', found.kind] as const, ['from', from] as const, ['to', to] as const]
    const answer = await postProject<Renamed>(form, form.dataset['rename'] ?? '', { fields })
    rename.disabled = false
    if (answer.kind === 'cancelled') return
    status.textContent = answer.kind === 'problem' ? answer.problem : describe(answer.result, { from, to })
    if (answer.kind === 'problem') return
    from = to
    onWritten()
  }
  panel.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  panel.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return
    // The page would take the focus away again.
    event.stopPropagation()
    end()
  })
  close.addEventListener('click', end)
}

function describe(
  { count, fileCount, failed }: Renamed,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const left = failed.length === 0 ? '' : ` Not changed: ${failed.map(({ path }) => path).join(', ')}.`
  const places = `${plural(count, 'place', 'places')} in ${plural(fileCount, 'draft', 'drafts')}`
  return `Renamed "${from}" to "${to}" at ${places}.${left} To undo, rename it back.`
}

/** The label or key at the cursor. */
function findName(state: EditorState, path: string): Name | null {
  const { head } = state.selection.main
  if (path.toLowerCase().endsWith('.bib')) {
    const [, name] = /^[ \t]*@[a-zA-Z]{1,40}[ \t]*[{(][ \t]*([^\s,{}()]{1,200})/.exec(state.doc.lineAt(head).text) ?? []
    return name === undefined ? null : { kind: 'citation', name }
  }
  const reference = findReference(state, head)
  if (reference === null) return null
  const { command, name } = reference
  if (/cite|^bibitem$/i.test(command)) return { kind: 'citation', name }
  return /^z?label$|ref(?:range)?$/i.test(command) ? { kind: 'label', name } : null
}
