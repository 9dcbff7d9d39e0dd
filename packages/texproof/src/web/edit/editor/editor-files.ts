import { posix } from 'node:path'

import { html } from 'hono/html'

import type { Deps } from '../../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import { addLimits } from '../../../operations/edit/add-files.ts'
import type { TreeFile } from '../../../git/types.ts'
import { fileKind, hasLines } from '../../content/file-kind.ts'
import type { Html } from '../../ui/html.ts'
import { icon } from '../../ui/icon.ts'
import type { EditLocation } from '../find-edit-location.ts'

/** Larger trees show only the folder of the edited file. */
const MAX_FILES = 150
/**
 * Maximum length of all listed paths, because each folder of a deep tree repeats its parents. A thesis has about 10,000
 * characters.
 */
const MAX_REPEATED = 200_000

/** The document of the PDF beside the editor. */
interface ShownDocument {
  /** Null = the first one of the branch. */
  readonly document: string | null
  /** The root files of all documents: each opens with its own. */
  readonly rootFiles: ReadonlySet<string>
}

type ListLocation = EditLocation & ShownDocument

interface ListedFile {
  readonly path: string
  readonly kind: TreeFile['kind']
}

/**
 * The files of the branch beside the editor: each opens in the editor. Files and folders dropped on a folder are uploaded there,
 * elsewhere to the root of the branch; entries of the list that are dropped are moved there.
 */
export async function editorFiles(deps: Deps, location: EditLocation, shown: ShownDocument): Promise<Html> {
  const { repository, branch, path } = location
  const folder = posix.dirname(path) === '.' ? '' : `/${encodePath(posix.dirname(path))}`
  const address = `${repositoryPath(repository)}/new/${encodePath(branch)}${folder}`
  const files = await listFiles(deps, location)
  const top = countRepeated(files) <= MAX_REPEATED ? '' : `${posix.dirname(path)}/`
  return html`<nav
    class="editor-files"
    id="editor-files"
    aria-label="Files"
    data-folder=""
    data-upload="${uploadPath(location, '')}"
    data-max-files="${addLimits.files}"
    data-moves="${repositoryPath(repository)}/move/${encodePath(branch)}/"
  >
    <p class="editor-files-head"><a href="${address}">${icon('plus')} Add files</a></p>
    ${folderList(files, { ...location, ...shown }, { folder: top, top })}
    <p class="quiet" data-files-status role="status"></p>
    <section data-editor-outline class="editor-outline" aria-labelledby="outline-title" hidden>
      <h2 id="outline-title">Outline</h2>
    </section>
  </nav>`
}

/** All files, or those beside the edited one in a large or deep tree. */
async function listFiles({ git }: Deps, { repository, headId, path }: EditLocation): Promise<readonly ListedFile[]> {
  if (headId === null) return []
  const all = await git.listFiles(repository.id, headId, { maxFiles: MAX_FILES })
  if (all !== null && countRepeated(all) <= MAX_REPEATED) return all
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
  const entries = (await git.listFolder(repository.id, headId, folder)) ?? []
  return entries
    .flatMap(({ name, kind }) => (kind === 'folder' ? [] : [{ path: posix.join(folder, name), kind }]))
    .slice(0, MAX_FILES)
}

/** Characters of the paths of all folders, once for each file below. */
function countRepeated(files: readonly ListedFile[]): number {
  return files.reduce((sum, { path }) => sum + path.length * (path.split('/').length - 1), 0)
}

/** The entries of a folder; `top` is the folder at which the list begins. */
function folderList(
  files: readonly ListedFile[],
  location: ListLocation,
  { folder, top }: { readonly folder: string; readonly top: string },
): Html {
  const inFolder = files.filter(({ path }) => path.startsWith(folder))
  const folders = new Set(
    inFolder.flatMap(({ path }) => {
      const [first, ...rest] = path.slice(folder.length).split('/')
      return rest.length === 0 || first === undefined ? [] : [`${folder}${first}/`]
    }),
  )
  const own = inFolder.filter(({ path }) => !path.slice(folder.length).includes('/'))
  return html`<ul ${folder === top ? html`data-opened="${location.headId ?? ''}"` : ''}>
    ${[...folders].map(
      (name) =>
        html`<li data-path="${name.slice(0, -1)}">
          ${moveLink(location, name.slice(0, -1))}
          <details
            data-folder="${name}"
            data-upload="${uploadPath(location, name)}"
            ${location.path.startsWith(name) ? html`open` : ''}
          >
            <summary draggable="true">${posix.basename(name)}</summary>
            ${folderList(inFolder, location, { folder: name, top })}
          </details>
        </li>`,
    )}
    ${own.map(
      (file) => html`<li data-path="${file.path}">${moveLink(location, file.path)} ${fileLink(file, location)}</li>`,
    )}
  </ul>`
}

/** Link to rename, move or delete an entry. */
function moveLink({ repository, branch }: EditLocation, path: string): Html {
  const name = posix.basename(path)
  return html`<a
    class="entry-actions"
    href="${repositoryPath(repository)}/move/${encodePath(branch)}/${encodePath(path)}"
    aria-label="Rename, move or delete ${name}"
    title="Rename, move or delete"
    >${icon('ellipsis')}</a
  >`
}

/** `folder` ends with a slash, except for the root. */
function uploadPath({ repository, branch }: EditLocation, folder: string): string {
  const path = folder === '' ? '' : `/${encodePath(folder.slice(0, -1))}`
  return `${repositoryPath(repository)}/upload/${encodePath(branch)}${path}`
}

/** Texts open in the editor with the same document, other files on their page. */
function fileLink({ path, kind }: ListedFile, location: ListLocation): Html {
  const { repository, branch, path: current, document, rootFiles } = location
  const isText = (kind === 'file' || kind === 'executable') && hasLines(path, fileKind(path, new Uint8Array()))
  const address = `${repositoryPath(repository)}/${isText ? 'edit' : 'blob'}/${encodePath(branch)}/${encodePath(path)}`
  const isKept = isText && document !== null && !rootFiles.has(path)
  const href = isKept ? `${address}?doc=${encodeURIComponent(document)}` : address
  return html`<a href="${href}" ${path === current ? html`aria-current="page"` : ''}>${posix.basename(path)}</a>`
}
