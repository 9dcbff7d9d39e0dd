/** Files dropped on the list of files are uploaded to the folder of the edited file, with the form of that page. */
export function wireUpload(list: HTMLElement, form: HTMLFormElement): void {
  const stop = (event: DragEvent): boolean => {
    if (event.dataTransfer?.types.includes('Files') !== true) return false
    event.preventDefault()
    list.toggleAttribute('data-dropping', event.type === 'dragover')
    return true
  }
  list.addEventListener('dragover', stop)
  list.addEventListener('dragleave', () => list.removeAttribute('data-dropping'))
  list.addEventListener('drop', (event) => {
    const files = [...(event.dataTransfer?.files ?? [])]
    if (stop(event) && files.length > 0) void upload(list, form, files)
  })
}

async function upload(list: HTMLElement, form: HTMLFormElement, files: readonly File[]): Promise<void> {
  const status = list.querySelector('[data-upload-status]')
  const say = (text: string): void => void (status !== null && (status.textContent = text))
  say('Uploading…')
  const body = new FormData()
  for (const name of ['form_token', 'branch', 'opened'])
    body.set(name, form.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? '')
  for (const file of files) body.append('files', file)
  // Absent without a network.
  const answer = await fetch(list.dataset['upload'] ?? '', { method: 'POST', body }).catch(() => null)
  if (answer?.ok !== true) return say(await problemOf(answer))
  const fresh = await readFileList()
  if (fresh === null) return say('Uploaded. Reload the page to see the files.')
  list.replaceChildren(...fresh.childNodes)
}

/** The page that refuses an upload lists its problems. */
async function problemOf(answer: Response | null): Promise<string> {
  if (answer === null) return 'The upload failed: no connection. Drop the files again.'
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const problem = page.querySelector('.problems, .field-problem, [role=alert], main h1')
  return `The upload failed. ${problem?.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''}`
}

async function readFileList(): Promise<Element | null> {
  // Without a network: null, as for an error.
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null)
  if (answer?.ok !== true) return null
  return new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('.editor-files')
}
