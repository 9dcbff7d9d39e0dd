/** Files dropped on the list of files are uploaded to the folder under the pointer, with the form of that page. */
export function wireUpload(list: HTMLElement, form: HTMLFormElement): void {
  let marked: Element | null = null
  const mark = (folder: Element | null): void => {
    marked?.removeAttribute('data-dropping')
    folder?.setAttribute('data-dropping', '')
    marked = folder
  }
  list.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(folderAt(event))
  })
  list.addEventListener('dragleave', () => mark(null))
  list.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    mark(null)
    const folder = folderAt(event)
    const files = [...(event.dataTransfer?.files ?? [])]
    if (folder !== null && files.length > 0) void upload(list, form, { folder, files })
  })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

/** The folder, or the list itself for the root of the branch. */
function folderAt({ target }: DragEvent): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-upload]') : null
}

async function upload(
  list: HTMLElement,
  form: HTMLFormElement,
  { folder, files }: { readonly folder: HTMLElement; readonly files: readonly File[] },
): Promise<void> {
  const status = list.querySelector('[data-upload-status]')
  const say = (text: string): void => void (status !== null && (status.textContent = text))
  say('Uploading…')
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'opened'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  for (const file of files) body.append('files', file)
  // Absent without a network.
  const answer = await fetch(folder.dataset['upload'] ?? '', { method: 'POST', body }).catch(() => null)
  if (answer?.ok !== true) return say(await problemOf(answer))
  if (folder instanceof HTMLDetailsElement) folder.open = true
  const isShown = await refreshFiles(list)
  const uploaded = files.length === 1 ? (files[0]?.name ?? '') : `${files.length} files`
  say(isShown ? `Uploaded ${uploaded}.` : `Uploaded ${uploaded}. Reload the page to see the list.`)
}

/** The page that refuses an upload lists its problems. */
async function problemOf(answer: Response | null): Promise<string> {
  if (answer === null) return 'The upload failed: no connection. Drop the files again.'
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const problem = page.querySelector('.problems, .field-problem, [role=alert], main h1')
  return `The upload failed. ${problem?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''}`
}

/** Shows the newest files of the branch; open folders stay open. False without a network. */
async function refreshFiles(list: HTMLElement): Promise<boolean> {
  // Without a network: null, as for an error.
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null)
  const page = answer?.ok === true ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null
  const fresh = page?.querySelector('.editor-files > ul')
  if (!fresh) return false
  const addressOf = ({ dataset }: HTMLElement): string => dataset['upload'] ?? ''
  const open = new Set([...list.querySelectorAll<HTMLElement>('details[open]')].map(addressOf))
  for (const folder of fresh.querySelectorAll('details')) folder.open = open.has(addressOf(folder))
  list.querySelector(':scope > ul')?.replaceWith(fresh)
  return true
}
