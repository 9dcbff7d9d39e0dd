/**
 * The changes of a commit or a comparison: an overview, then each file. Long files, and files after many lines, are
 * folded with a link that shows them alone, so that pages stay small.
 */
import { html, raw } from 'hono/html'

import type { CommitProblems } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { fileKind } from '../content/file-kind.ts'
import type { RenderedChange, RenderedFile } from './render-change.ts'
import type { Html } from '../ui/html.ts'
import { symbol } from '../ui/symbol.ts'
import { marginNote } from '../ui/problem/margin-note.ts'
import { patchTable } from './patch-table.ts'
import { isBoxWarning } from '../ui/problem/problem-list.ts'
import { countOf } from '../../papers/push/describe-push.ts'

/** Display options from the address. */
export interface ChangeStyle {
  readonly isSplit: boolean
  readonly ignoresSpaces: boolean
  /** The one file to show, however long; null = all of them. */
  readonly file: string | null
}

/** The changes between two commits. */
export interface Change {
  readonly repository: Repository
  /** null = everything is new. */
  readonly fromCommitId: string | null
  readonly toCommitId: string
  readonly rendered: RenderedChange
  /** Problems of the builds of the newer commit. */
  readonly problems: CommitProblems
  readonly style: ChangeStyle
  /** Path of the page, without a query. */
  readonly path: string
}

/** Reads the style from the query of an address. */
export function readChangeStyle(query: Readonly<Record<string, string>>): ChangeStyle {
  const { view, space, file } = query
  return { isSplit: view === 'split', ignoresSpaces: space === 'ignore', file: file ?? null }
}

/** Why a change is not shown. */
export function changeNotShown(reason: 'too-large' | 'busy'): Html {
  return reason === 'busy'
    ? html`<p class="notice">The server is too busy to show this change. Reload the page.</p>`
    : html`<p class="notice">This change is too large to show here. Clone the repository to read it.</p>`
}

/** The text of a change, as long as its rows are cached. */
const drawn = new WeakMap<RenderedChange, { readonly key: string; readonly text: string }>()

/** The rendered change. It is the same for every viewer, and drawing it is most of the time of a cached page. */
export async function changeView(change: Change): Promise<Html> {
  const { repository, rendered, ...view } = change
  const key = JSON.stringify([repositoryPath(repository), view])
  const known = drawn.get(rendered)
  if (known?.key === key) return raw(known.text)
  // Converted through bytes: the thousands of pieces of a joined text would be copied one by one into every page.
  const text = Buffer.from(String(await drawChange(change))).toString()
  drawn.set(rendered, { key, text })
  return raw(text)
}

function drawChange(change: Change): Html {
  const { rendered, style } = change
  const { files, fileCount } = rendered
  if (fileCount === 0)
    return html`<p class="quiet">No differences${style.ignoresSpaces ? ' other than whitespace' : ''}.</p>`
  const omitted = style.file === null ? fileCount - files.length : 0
  return html`${overview(change)}
  ${
    style.file !== null && files.length === 0
      ? html`<p class="quiet">${style.file} is not changed here.</p>`
      : files.map((file, index) => fileSection(file, index, change))
  }
  ${omitted === 0 ? '' : html`<p class="quiet">${countOf(omitted, 'more file is', 'more files are')} not shown. Clone the repository to see them.</p>`}`
}

function overview({ rendered, style, path }: Change): Html {
  const { files, fileCount, added, removed } = rendered
  const way = (label: string, other: ChangeStyle): Html => html`<a href="${styleHref(path, other)}">${label}</a>`
  return html`<div class="bar change-bar">
      <p>
        ${countOf(fileCount, 'file')} changed, ${plus(added)} ${minus(removed)}
        ${style.file === null ? '' : way('All files', { ...style, file: null })}
      </p>
      <span class="actions">
        ${way(style.isSplit ? 'Unified' : 'Side by side', { ...style, isSplit: !style.isSplit })}
        ${way(style.ignoresSpaces ? 'Show whitespace' : 'Hide whitespace', { ...style, ignoresSpaces: !style.ignoresSpaces })}
      </span>
    </div>
    ${
      fileCount === 1 || style.file !== null
        ? ''
        : html`<details class="changed-files" ${fileCount <= 20 ? html`open` : ''}>
            <summary>Files</summary>
            <ul>
              ${files.map((file, index) => html`<li><a href="#file-${index + 1}">${nameOf(file)}</a> ${counts(file)}</li>`)}
            </ul>
            ${fileCount > files.length ? html`<p class="quiet">${fileCount - files.length} more.</p>` : ''}
          </details>`
    }`
}

function fileSection(file: RenderedFile, index: number, change: Change): Html {
  const { repository, toCommitId } = change
  const href = `${repositoryPath(repository)}/blob/${toCommitId}/${encodePath(file.path)}`
  return html`<section class="change" id="file-${index + 1}">
    <h2>
      ${nameOf(file)} <span class="quiet">${file.state}</span> ${counts(file)}
      ${file.state === 'removed' ? '' : html`<a class="whole-file" href="${href}">View file</a>`}
    </h2>
    ${file.isBinary ? binaryChange(file, change) : textChange(file, change)}
  </section>`
}

function textChange(file: RenderedFile, change: Change): Html {
  const { path, hunks, omittedLines } = file
  const { style } = change
  if (hunks === null)
    return html`<p class="quiet">
      Large diffs are not shown by default.
      <a href="${styleHref(change.path, { ...style, file: path })}">Show the diff of ${path}</a>
    </p>`
  if (hunks.length === 0) return html`<p class="quiet">The content is unchanged.</p>`
  return html`${patchTable(hunks, { isSplit: style.isSplit, notes: notesOf(file, change) })}
  ${omittedLines === 0 ? '' : html`<p class="quiet">${countOf(omittedLines, 'more line is', 'more lines are')} not shown.</p>`}`
}

function notesOf(
  { path }: RenderedFile,
  { problems: { documentCount, problems }, repository }: Change,
): (line: number | null) => Html | '' {
  const byLine = Map.groupBy(
    problems.filter((problem) => problem.file === path && !isBoxWarning(problem)),
    ({ line }) => line,
  )
  return (line) => {
    const here = line === null ? undefined : byLine.get(line)
    return here === undefined ? '' : html`${here.map((problem) => marginNote(problem, { repository, documentCount }))}`
  }
}

/** Images are shown side by side; other binary files by name only. */
function binaryChange(file: RenderedFile, { repository, fromCommitId, toCommitId }: Change): Html {
  const picture = (label: string, commitId: string | null, path: string): Html => {
    if (commitId === null || fileKind(path, new Uint8Array([0])) !== 'image') return html``
    const src = `${repositoryPath(repository)}/raw/${commitId}/${encodePath(path)}`
    return html`<figure class="picture">
      <img src="${src}" alt="${path}, ${label}" loading="lazy" />
      <figcaption class="quiet">${label}</figcaption>
    </figure>`
  }
  if (fileKind(file.path, new Uint8Array([0])) !== 'image') return html`<p class="quiet">Binary file.</p>`
  return html`<div class="pictures">
    ${file.state === 'added' ? '' : picture('before', fromCommitId, file.oldPath)}
    ${file.state === 'removed' ? '' : picture('after', toCommitId, file.path)}
  </div>`
}

function nameOf({ oldPath, path }: RenderedFile): Html {
  return html`${oldPath === path ? '' : html`<bdi>${oldPath}</bdi> → `}<bdi>${path}</bdi>`
}

function counts({ added, removed }: RenderedFile): Html | '' {
  return added === null || removed === null ? '' : html`<span class="counts">${plus(added)} ${minus(removed)}</span>`
}

function plus(count: number): Html {
  return html`<span class="${count === 0 ? 'count' : 'count count-added'}">+${count}</span>`
}

function minus(count: number): Html {
  return html`<span class="${count === 0 ? 'count' : 'count count-removed'}">${symbol('−')}${count}</span>`
}

function styleHref(path: string, { isSplit, ignoresSpaces, file }: ChangeStyle): string {
  const query = new URLSearchParams()
  if (isSplit) query.set('view', 'split')
  if (ignoresSpaces) query.set('space', 'ignore')
  if (file !== null) query.set('file', file)
  return query.size === 0 ? path : `${path}?${query}`
}
