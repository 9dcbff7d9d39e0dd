import { folderAt, markFolder, postOfFiles, problemOf, refreshFiles, sayOfFiles } from './file-list.browser.ts'
import { plural } from '../project/elements.browser.ts'
import type { FileList } from './file-list.browser.ts'

/** The type of data of a dragged entry: nothing else is moved. */
const ENTRY = 'application/x-texproof-entry'

/** Entries of the list that are dropped on a folder are moved there, with the form of that page. */
export function wireMoves(files: FileList): void {
  const { list } = files
  list.addEventListener('dragstart', (event) => {
    const entry = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-path]') : null
    if (entry === null || event.dataTransfer === null) return
    event.dataTransfer.setData(ENTRY, entry.dataset['path'] ?? '')
    event.dataTransfer.effectAllowed = 'linkMove'
  })
  list.addEventListener('dragover', (event) => {
    if (!hasEntry(event)) return
    event.preventDefault()
    markFolder(list, folderAt(event))
  })
  list.addEventListener('drop', (event) => {
    if (!hasEntry(event)) return
    event.preventDefault()
    markFolder(list, null)
    const folder = folderAt(event)
    const path = event.dataTransfer?.getData(ENTRY) ?? ''
    if (folder !== null && path !== '') void move(files, folder, path)
  })
}

function hasEntry({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes(ENTRY) === true
}

async function move(files: FileList, target: HTMLElement, path: string): Promise<void> {
  const { list, form } = files
  const folder = target.dataset['folder'] ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  const newPath = folder + name
  if (newPath === path || folder.startsWith(`${path}/`)) return
  sayOfFiles(list, `Moving ${name}…`)
  const address = (list.dataset['moves'] ?? '') + encodePath(path)
  const answer = await postOfFiles(files, address, [
    ['path', newPath],
    ['references', 'yes'],
  ])
  if (answer?.ok !== true) return sayOfFiles(list, `${name} was not moved. ${await problemOf(answer)}`)
  const edited = form.dataset['path'] ?? ''
  // The edited file has a new address.
  if (edited === path || edited.startsWith(`${path}/`))
    return location.assign((form.dataset['files'] ?? '') + encodePath(newPath + edited.slice(path.length)))
  if (target instanceof HTMLDetailsElement) target.open = true
  await refreshFiles(list)
  const references = new URL(answer.url).searchParams.get('references') ?? '0'
  const updated = references === '0' ? '' : ` ${describeReferences(references)}`
  sayOfFiles(list, `Moved ${name} to ${folder === '' ? 'the top folder' : folder.slice(0, -1)}.${updated}`)
}

/** `references` = how many paths were updated, or `none` if they could not be. */
function describeReferences(references: string): string {
  if (references === 'none') return 'Paths in sources were not updated: the branch has too many files.'
  return `Updated ${plural(Number(references), 'path', 'paths')} in LaTeX sources.`
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
