/**
 * What a commit or a comparison changes: an overview, then file by file. Long files and what comes after many lines are
 * folded, each with a link that shows it alone, so that no change makes a page that nobody can load.
 */
import { html } from 'hono/html'

import type { BuildProblem } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import { fileKind } from '../content/file-kind.ts'
import type { FileChange } from '../content/read-change.ts'
import type { Html } from './html.ts'
import { marginNote } from './margin-note.ts'
import { patchTable } from './patch-table.ts'

/** Lines shown of one change, all files together: beyond it nobody reads a page. */
const MAX_LINES = 1_200
/** Lines of one file that are shown without being asked for. */
const MAX_FILE_LINES = 400
/** Files named in the overview. */
const MAX_LISTED = 300

/** Files in which a line is a paragraph, so that words are compared. */
const PROSE = /\.(?:tex|ltx|bib|md|txt|rst)$/i

/** What the build of the newer side complained of, and where the whole of it is told. */
export interface ChangeProblems {
  readonly problems: readonly BuildProblem[]
  readonly build: { readonly href: string; readonly number: number }
}

/** How a reader wants to see it, as the address says. */
export interface ChangeStyle {
  readonly isSplit: boolean
  readonly ignoresSpaces: boolean
  /** The one file to show, however long; null = all of them. */
  readonly file: string | null
}

/** What changed, between which commits. */
export interface Change {
  readonly repository: Repository
  /** null = from nothing. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  readonly files: readonly FileChange[]
  readonly problems: ChangeProblems | null
  readonly style: ChangeStyle
  /** Path of the page, without a query. */
  readonly path: string
}

/** Reads the style from the query of an address. */
export function readChangeStyle(query: Readonly<Record<string, string>>): ChangeStyle {
  const { view, space, file } = query
  return { isSplit: view === 'split', ignoresSpaces: space === 'ignore', file: file ?? null }
}

/** A change as a page shows it. */
export function changeView(change: Change): Html {
  const { files, style } = change
  if (files.length === 0)
    return html`<p class="quiet">No file differs${style.ignoresSpaces ? ', but for spaces' : ''}.</p>`
  let left = MAX_LINES
  const sections = files.map((file, index) => {
    if (style.file !== null && style.file !== file.path) return ''
    const count = file.hunks?.reduce((sum, { lines }) => sum + lines.length, 0) ?? null
    const isShown = count !== null && (style.file !== null || (count <= left && count <= MAX_FILE_LINES))
    if (isShown) left -= count
    return fileSection(file, { index, isShown, change })
  })
  const isMissing = style.file !== null && sections.every((section) => section === '')
  return html`${overview(change)}
  ${isMissing ? html`<p class="quiet">${style.file} is not changed here.</p>` : sections}`
}

function overview({ files, style, path }: Change): Html {
  const added = files.reduce((sum, file) => sum + (file.added ?? 0), 0)
  const removed = files.reduce((sum, file) => sum + (file.removed ?? 0), 0)
  const way = (label: string, other: ChangeStyle): Html => html`<a href="${styleHref(path, other)}">${label}</a>`
  return html`<div class="bar change-bar">
      <p>
        ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${plus(added)} ${minus(removed)}
        ${style.file === null ? '' : way('All files', { ...style, file: null })}
      </p>
      <span class="actions">
        ${way(style.isSplit ? 'One column' : 'Side by side', { ...style, isSplit: !style.isSplit })}
        ${way(style.ignoresSpaces ? 'Show spaces' : 'Ignore spaces', { ...style, ignoresSpaces: !style.ignoresSpaces })}
      </span>
    </div>
    ${
      files.length === 1 || style.file !== null
        ? ''
        : html`<details class="changed-files" ${files.length <= 20 ? html`open` : ''}>
            <summary>Files</summary>
            <ul>
              ${files
                .slice(0, MAX_LISTED)
                .map((file, index) => html`<li><a href="#file-${index + 1}">${nameOf(file)}</a> ${counts(file)}</li>`)}
            </ul>
            ${files.length > MAX_LISTED ? html`<p class="quiet">${files.length - MAX_LISTED} more.</p>` : ''}
          </details>`
    }`
}

function fileSection(
  file: FileChange,
  { index, isShown, change }: { readonly index: number; readonly isShown: boolean; readonly change: Change },
): Html {
  const { repository, toCommitId, style, path } = change
  const href = `${repositoryPath(repository)}/blob/${toCommitId}/${encodePath(file.path)}`
  return html`<section class="change" id="file-${index + 1}">
    <h3>
      ${nameOf(file)} <span class="quiet">${file.state}</span> ${counts(file)}
      ${file.state === 'removed' ? '' : html`<a class="whole-file" href="${href}">whole file</a>`}
    </h3>
    ${
      file.isBinary
        ? binaryChange(file, change)
        : isShown
          ? file.hunks?.length === 0
            ? html`<p class="quiet">The lines are the same.</p>`
            : patchTable(file.hunks ?? [], {
                isSplit: style.isSplit,
                isProse: PROSE.test(file.path),
                notes: notesOf(file, change),
              })
          : html`<p class="quiet">
              Too long to show with the rest.
              <a href="${styleHref(path, { ...style, file: file.path })}">Show the lines of ${file.path}</a>
            </p>`
    }
  </section>`
}

function notesOf({ path }: FileChange, { problems }: Change): (line: number | null) => Html | '' {
  return (line) => {
    const here =
      line === null ? [] : (problems?.problems.filter((each) => each.file === path && each.line === line) ?? [])
    return here.length === 0 ? '' : html`${here.map((problem) => marginNote(problem, problems?.build ?? null))}`
  }
}

/** Pictures stand side by side; of other bytes nothing can be told. */
function binaryChange(file: FileChange, { repository, fromCommitId, toCommitId }: Change): Html {
  const picture = (label: string, commitId: string | null, path: string): Html => {
    if (commitId === null || fileKind(path, new Uint8Array([0])) !== 'image') return html``
    const src = `${repositoryPath(repository)}/raw/${commitId}/${encodePath(path)}`
    return html`<figure class="picture">
      <img src="${src}" alt="${path}, ${label}" loading="lazy" />
      <figcaption class="quiet">${label}</figcaption>
    </figure>`
  }
  if (fileKind(file.path, new Uint8Array([0])) !== 'image') return html`<p class="quiet">Not text.</p>`
  return html`<div class="pictures">
    ${file.state === 'added' ? '' : picture('before', fromCommitId, file.oldPath)}
    ${file.state === 'removed' ? '' : picture('after', toCommitId, file.path)}
  </div>`
}

function nameOf({ oldPath, path }: FileChange): string {
  return oldPath === path ? path : `${oldPath} → ${path}`
}

function counts({ added, removed }: FileChange): Html | '' {
  return added === null || removed === null ? '' : html`<span class="counts">${plus(added)} ${minus(removed)}</span>`
}

function plus(count: number): Html {
  return html`<span class="count-added">+${count}</span>`
}

function minus(count: number): Html {
  return html`<span class="count-removed">−${count}</span>`
}

function styleHref(path: string, { isSplit, ignoresSpaces, file }: ChangeStyle): string {
  const query = new URLSearchParams()
  if (isSplit) query.set('view', 'split')
  if (ignoresSpaces) query.set('space', 'ignore')
  if (file !== null) query.set('file', file)
  return query.size === 0 ? path : `${path}?${query}`
}
