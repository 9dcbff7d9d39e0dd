import { readDropped } from './dropped-files.browser.ts'
import type { DroppedFile } from './dropped-files.browser.ts'
import { folderAt, markFolder, postOfFiles, problemOf, refreshFiles, sayOfFiles } from './file-list.browser.ts'
import type { FileList } from './file-list.browser.ts'

/** Files and folders dropped on the list of files are uploaded to the folder under the pointer, with the form of that page. */
export function wireUpload(files: FileList): void {
  const { list } = files
  list.addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    markFolder(list, folderAt(event))
  })
  list.addEventListener('dragleave', () => markFolder(list, null))
  list.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    markFolder(list, null)
    const folder = folderAt(event)
    if (folder !== null && event.dataTransfer !== null) void upload(files, folder, event.dataTransfer)
  })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

async function upload(files: FileList, folder: HTMLElement, transfer: DataTransfer): Promise<void> {
  const { list } = files
  const max = Number(list.dataset['maxFiles'])
  // Null = the browser may not read what was dropped.
  const dropped = await readDropped(transfer, max).catch(() => null)
  const problem = refuse(dropped, max)
  if (dropped === null || problem !== null) return sayOfFiles(list, `Nothing was uploaded. ${problem}`)
  sayOfFiles(list, 'Uploading…')
  const address = folder.dataset['upload'] ?? ''
  const answer = await postOfFiles(
    files,
    address,
    dropped.map(({ file, path }) => ['files', file, path] as const),
  )
  if (answer?.ok !== true) return sayOfFiles(list, `The upload failed. ${await problemOf(answer)}`)
  // A push that was shown in the meantime has replaced the elements.
  for (const shown of list.querySelectorAll('details'))
    if (shown.dataset['folder'] === folder.dataset['folder']) shown.open = true
  const isShown = await refreshFiles(list)
  const uploaded = dropped.length === 1 ? (dropped[0]?.path ?? '') : `${dropped.length} files`
  sayOfFiles(list, isShown ? `Uploaded ${uploaded}.` : `Uploaded ${uploaded}. Reload the page to see the list.`)
}

/** Why nothing is sent; null = it is. */
function refuse(dropped: readonly DroppedFile[] | null, max: number): string | null {
  if (dropped === null) return 'Your browser could not read what you dropped.'
  if (dropped.length === 0) return 'The folder contains no files.'
  if (dropped.length <= max) return null
  return `You dropped more than ${max} files; the limit is ${max} per upload. Push larger folders with git.`
}
