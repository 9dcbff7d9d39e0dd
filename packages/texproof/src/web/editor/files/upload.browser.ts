import { folderAt, markFolder, postOfFiles, problemOf, refreshFiles, sayOfFiles } from './file-list.browser.ts'
import type { FileList } from './file-list.browser.ts'

/** Files dropped on the list of files are uploaded to the folder under the pointer, with the form of that page. */
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
    const dropped = [...(event.dataTransfer?.files ?? [])]
    if (folder !== null && dropped.length > 0) void upload(files, folder, dropped)
  })
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

async function upload(files: FileList, folder: HTMLElement, dropped: readonly File[]): Promise<void> {
  const { list } = files
  sayOfFiles(list, 'Uploading…')
  const address = folder.dataset['upload'] ?? ''
  const answer = await postOfFiles(
    files,
    address,
    dropped.map((file) => ['files', file] as const),
  )
  if (answer?.ok !== true) return sayOfFiles(list, `The upload failed. ${await problemOf(answer)}`)
  if (folder instanceof HTMLDetailsElement) folder.open = true
  const isShown = await refreshFiles(list)
  const uploaded = dropped.length === 1 ? (dropped[0]?.name ?? '') : `${dropped.length} files`
  sayOfFiles(list, isShown ? `Uploaded ${uploaded}.` : `Uploaded ${uploaded}. Reload the page to see the list.`)
}
