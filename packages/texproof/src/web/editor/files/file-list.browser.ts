/** The list of files beside the editor: what uploads and moves have in common. */
import { postForm } from '../shared/form-token.browser.ts'

/** The list, and the form of the editor, whose fields a request needs. */
export interface FileList {
  readonly list: HTMLElement
  readonly form: HTMLFormElement
}

/** The folder under the pointer, or the list itself for the root of the branch. */
export function folderAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-folder]') : null
}

/** Marks the folder that something is dragged over. Null = none. */
export function markFolder(list: HTMLElement, folder: HTMLElement | null): void {
  const marked = list.closest('nav')?.querySelectorAll('[data-dropping]') ?? []
  for (const each of [list, ...marked]) each.toggleAttribute('data-dropping', each === folder)
  folder?.setAttribute('data-dropping', '')
}

/** Shows the state of a change below the list. */
export function sayOfFiles(list: HTMLElement, text: string): void {
  const status = list.querySelector('[data-files-status]')
  if (status !== null) status.textContent = text
}

/** Posts fields as the form of the page at an address would; a file with its path. Null without a network. */
export function postOfFiles(
  { list, form }: FileList,
  address: string,
  fields: readonly (readonly [name: string, value: string] | readonly [name: string, file: File, path: string])[],
): Promise<Response | null> {
  const body = new FormData()
  for (const name of ['form_token', 'branch'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  // The commit whose files are listed, not the commit of the draft.
  body.set('opened', list.querySelector<HTMLElement>('[data-opened]')?.dataset['opened'] ?? '')
  for (const [name, value, path] of fields)
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, path)
  // Absent without a network.
  return postForm(address, body).catch(() => null)
}

/** Problem of a refused form: its page lists the problems, or shows the only one at its field. */
export async function problemOf(answer: Response | null): Promise<string> {
  if (answer === null) return 'No connection. Try again.'
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  // The title comes first on the page of a form, and says nothing about it.
  const problem = page.querySelector('.problem-box, .field-problem') ?? page.querySelector('main h1')
  return problem?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''
}

/** The next list waits for this one. */
const ANSWER_WITHIN_MS = 30_000

let refreshing: Promise<unknown> = Promise.resolve()

/**
 * Shows the newest files of the branch; open folders stay open. False without a network. One after the other: an earlier answer
 * that arrives late would replace a newer list.
 */
export function refreshFiles(list: HTMLElement): Promise<boolean> {
  const refreshed = refreshing.then(() => loadFiles(list))
  // Its caller gets the error.
  refreshing = refreshed.catch(() => false)
  return refreshed
}

async function loadFiles(list: HTMLElement): Promise<boolean> {
  const address = location.pathname + location.search
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  // Without a network or an answer: null, as for an error.
  const answer = await fetch(address, { headers: { accept: 'text/html' }, signal }).catch(() => null)
  const page = answer?.ok === true ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  const fresh = page?.querySelector('.editor-files > ul')
  if (!fresh) return false
  const pathOf = ({ dataset }: HTMLElement): string => dataset['folder'] ?? ''
  const open = new Set([...list.querySelectorAll<HTMLElement>('details[open]')].map(pathOf))
  for (const folder of fresh.querySelectorAll('details')) folder.open = open.has(pathOf(folder))
  list.querySelector(':scope > ul')?.replaceWith(fresh)
  return true
}
