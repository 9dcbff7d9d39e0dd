import { posix } from 'node:path'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import { isLfsPointer } from '@texproof/platex/explain'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { CommitProblems } from '../../domain/build.ts'
import { decodeUtf16 } from '../../domain/text/decode-utf16.ts'
import { isSourceText } from '../../domain/text/source-text.ts'
import type { Repository } from '../../domain/types.ts'
import { encodePath, repositoryPath, restorePath } from '../../domain/page-urls.ts'
import type { FigureKind } from '../../papers/cache/figure-store.ts'
import { afterCommit, readAfterCommit } from './after-commit.ts'
import { codeTable } from './code-table.ts'
import { commitLine } from '../ui/commit-line.ts'
import { findRequesterId } from '../session/find-caller.ts'
import { showFigure } from './figure.ts'
import { fileHead } from '../shell/repository/file-header.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { chooseNotes, notesBar, readNotesShown, type LinesView } from './notes-bar.ts'
import { sendPage } from '../shell/page.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { decodeText } from '../content/decode-text.ts'
import { findBibliography, isBibliography } from '../content/bibliography/find-bibliography.ts'
import { figureKind, fileKind, type FileKind, hasLines, isSvg } from '../content/file-kind.ts'
import { isMarkdown, renderMarkdownFile } from '../content/markdown/markdown-file.ts'
import { findNotebook, isNotebook, MAX_NOTEBOOK_BYTES } from '../content/notebook/find-notebook.ts'
import { findSourcePart } from '../content/source/find-source-part.ts'
import { findTable } from '../content/table/find-table.ts'
import { isValueTable } from '../content/table/read-table.ts'
import { startOfPart } from '../content/source/source-part.ts'
import { editHref, findEditTarget } from '../shell/repository/find-edit-target.ts'
import type { EditTarget } from '../shell/repository/find-edit-target.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { findObstacle } from '../shell/repository/find-obstacle.ts'
import { findPaperProblems, findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedFile } from '../shell/repository/find-viewed-file.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { repositoryTitle, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

const MAX_SHOWN_BYTES = 1024 * 1024
/** Longest path of Linux. */
const MAX_TARGET_BYTES = 4096
/** Seconds between reloads without script while the viewer's own commit is built. */
const REFRESH_AFTER_S = 2

/** `/{owner}/{repo}/blob/{ref}/{path}`: a file with line numbers and the problems reported by every document. */
export async function showBlob(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const { ref, path, file } = await findViewedFile(c, deps, repository)
  if (file.kind === 'folder')
    return c.redirect(
      `${repositoryPath(repository)}/tree/${encodePath(path === '' ? ref.name : `${ref.name}/${path}`)}`,
    )

  const isSource = c.req.query('view') === 'source'
  const [bytes, paper, commits] = await Promise.all([
    deps.git.readBlob(repository.id, file.objectId, {
      maxBytes: isNotebook(path) && !isSource ? MAX_NOTEBOOK_BYTES : MAX_SHOWN_BYTES,
    }),
    findRefPaper(deps, repository.id, { ref, document: null }),
    deps.git.listCommits(repository.id, ref.commitId, { offset: 0, limit: 1, path }),
  ])
  const problems = await findPaperProblems(deps, paper, ref.commitId)
  const rawHref = `${repositoryPath(repository)}/raw/${encodePath(ref.name)}/${encodePath(path)}`
  const notesShown = readNotesShown(c.req.query('notes'))
  const kind =
    bytes === null ? await findLargeKind(deps, repository, { path, objectId: file.objectId }) : fileKind(path, bytes)
  const isLink = file.kind === 'symlink'
  const figure = isLink ? null : figureKind(path)
  const view = isLink
    ? ''
    : isTexSource(path) && paper?.cover
      ? showInPdf(repository, ref.name, path)
      : otherView(path, { isSource, isImage: isSvg(path) || (figure !== null && kind === 'text') })
  const target = await findEditTarget(c, deps.git, { repository, ref, path })
  const isText = !isLink && bytes !== null && isSourceText(bytes)
  const isEarlier = ref.kind !== 'branch' && target?.isSame !== true && mayWrite(c, repository)
  const restore = isEarlier
    ? html`<a href="${restorePath(repository, ref.commitId, path)}">Restore this version</a>`
    : ''
  const more = html`${view} ${restore} ${target === null ? '' : editLink(target, { path, isText })}`
  const after = readAfterCommit(c)
  const obstacle = after === null || paper === null ? null : await findObstacle(deps, { repository, ref, paper })
  const lines = { target: isText && target?.isSame === true ? target : null, notesShown, problems }
  const from = readFrom(c.req.query('from'))
  const requesterId = await findRequesterId(c, deps.store)
  const place = {
    requesterId,
    path,
    ref,
    objectId: file.objectId,
    kind,
    figure,
    isSource,
    from,
    rawHref,
    repository,
    ...lines,
  }
  const main = html`${await fileHead(c, deps, { repository, ref, path, page: 'blob', hasLines: hasLines(path, kind), isLink, more })}
    ${after === null ? '' : afterCommit(after, { repository, ref, paper, obstacle })}
    <div class="file-facts">
      ${commitLine(commits?.[0] ?? null, repository)}
      ${bytes === null ? '' : html`<span class="quiet">${formatBytes(bytes.byteLength)}</span>`}
    </div>
    ${isLink ? linkTarget(bytes) : await showContent(deps, bytes, place)}`
  const isAwaited = after !== null && paper?.newest.commitId === ref.commitId && isInProgress(paper.newest)
  const title = `${path} · ${repositoryTitle(repository, ref)}`
  return sendPage(c, {
    title,
    main,
    isWide: true,
    scripts: [
      'code-lines',
      ...(isTexSource(path) ? (['show-in-pdf'] as const) : []),
      ...(isAwaited ? (['build-live'] as const) : []),
    ],
    head: isAwaited ? refreshWithoutScript(REFRESH_AFTER_S, `?after=${after.kind}`) : '',
  })
}

/** At a tag or commit, the link leads to a branch, which its text names. */
function editLink(target: EditTarget, { path, isText }: { readonly path: string; readonly isText: boolean }): Html {
  return html`<a class="button" href="${editHref(target, { path, line: null })}" data-key="e"
    >${icon('pencil')} ${isText ? 'Edit' : 'Replace, move or delete'}${target.isSame ? '' : ` on ${target.branch}`}</a
  >`
}

/** Where a symbolic link leads, as text: git stores any bytes, including paths outside the repository. */
function linkTarget(bytes: Uint8Array | null): Html {
  if (bytes === null || bytes.byteLength > MAX_TARGET_BYTES)
    return html`<p class="notice">Symbolic link. Its target is too long to show here.</p>`
  return html`<p class="notice">Symbolic link to <code>${decodeText(bytes)}</code></p>`
}

/** How a file is rendered, if not as lines. */
type Rendering = 'preview' | 'table' | 'notebook' | 'bibliography'

function findRendering(path: string): Rendering | null {
  if (isMarkdown(path)) return 'preview'
  if (isNotebook(path)) return 'notebook'
  if (isBibliography(path)) return 'bibliography'
  return isValueTable(path) ? 'table' : null
}

const RENDERING_LABELS = { preview: 'Preview', table: 'Table', notebook: 'Notebook', bibliography: 'Entries' } as const
const RENDERING_NAMES = {
  preview: 'formatted text',
  table: 'a table',
  notebook: 'a notebook',
  bibliography: 'a list',
} as const

/** The link between the source of a file and its rendered view. */
function otherView(path: string, { isSource, isImage }: { isSource: boolean; isImage: boolean }): Html | '' {
  if (isImage) return isSource ? html`<a href="?">Image</a>` : html`<a href="?view=source">Source</a>`
  const rendering = findRendering(path)
  if (rendering === null) return ''
  return isSource ? html`<a href="?">${RENDERING_LABELS[rendering]}</a>` : html`<a href="?view=source">Source</a>`
}

/** Sources with lines in SyncTeX. */
function isTexSource(path: string): boolean {
  return /\.(?:tex|ltx|latex|tikz|pgf)$/i.test(path)
}

interface ContentPlace extends LinesView {
  readonly path: string
  readonly ref: ResolvedRef
  /** Null = not a figure. */
  readonly figure: FigureKind | null
  readonly objectId: string
  readonly kind: FileKind
  readonly rawHref: string
  /** Problems of all documents at this commit. */
  readonly problems: CommitProblems
  readonly repository: Repository
  readonly requesterId: string
  /** Where lines can be edited; null = nowhere, or not by this viewer. */
  readonly target: EditTarget | null
}

/** Kind of a file that is too large to be read as a whole: by its name, otherwise by its first bytes. */
async function findLargeKind(
  { git }: Pick<Deps, 'git'>,
  repository: Repository,
  { path, objectId }: { readonly path: string; readonly objectId: string },
): Promise<FileKind> {
  const named = fileKind(path, new Uint8Array())
  if (named !== 'text') return named
  const blob = await git.openBlob(repository.id, objectId)
  await blob?.body.cancel()
  return blob === null ? named : fileKind(path, blob.head)
}

async function showContent(
  deps: Pick<Deps, 'git' | 'papers' | 'parsers'>,
  bytes: Uint8Array | null,
  place: ContentPlace,
): Promise<Html> {
  const { path, kind, figure, isSource, rawHref } = place
  if (bytes?.byteLength === 0) return html`<p class="quiet">This file is empty.</p>`
  if (bytes !== null && isLfsPointer(bytes))
    return html`<p class="notice">
        This file is a Git LFS pointer: its contents are not in the repository. Commit the file itself.
      </p>
      ${await showLines(deps, bytes, place)}`
  if (kind === 'image' && !(isSource && isSvg(path)))
    return html`<p class="picture"><img src="${rawHref}" alt="${path}" /></p>`
  if (figure !== null && !(isSource && kind === 'text'))
    return showFigure(deps, { ...place, kind: figure, refName: place.ref.name })
  if (kind === 'binary' && bytes !== null && decodeUtf16(bytes) !== null)
    return html`<p class="notice">
        This file is encoded in UTF-16. Save it as UTF-8 in your editor: TeX and git read UTF-8.
      </p>
      ${await showLines(deps, bytes, place)}`
  if (kind === 'binary')
    return html`<p class="notice">
      Binary file${bytes === null ? '' : `, ${formatBytes(bytes.byteLength)}`}. <a href="${rawHref}">Download</a>
    </p>`
  if (bytes === null)
    return html`<p class="notice">This file is too large to show here. <a href="${rawHref}">Open it raw.</a></p>`
  const rendering = isSource ? null : findRendering(path)
  if (rendering === null) return showLines(deps, bytes, place)
  const rendered = await showRendering(deps, bytes, { rendering, place })
  if (rendered !== null) return rendered
  const notice = html`<p class="notice">
    This file cannot be shown as ${RENDERING_NAMES[rendering]}: it is invalid, or takes too long to read.
    ${bytes.byteLength > MAX_SHOWN_BYTES ? html`<a href="${rawHref}">Open it raw.</a>` : 'Showing the source.'}
  </p>`
  return bytes.byteLength > MAX_SHOWN_BYTES ? notice : html`${notice} ${await showLines(deps, bytes, place)}`
}

async function showRendering(
  deps: Pick<Deps, 'parsers'>,
  bytes: Uint8Array,
  { rendering, place }: { readonly rendering: Rendering; readonly place: ContentPlace },
): Promise<Html | null> {
  if (rendering === 'table') return showTable(deps, bytes, place)
  const { path, ref, objectId, repository } = place
  if (rendering === 'bibliography') {
    const list = await findBibliography(deps.parsers, { objectId, bytes, ownerId: repository.owner.id })
    // Safe to insert: made by a template that escapes every value.
    return list === null ? null : html`${raw(list)}`
  }
  const folder = posix.dirname(path) === '.' ? '' : posix.dirname(path)
  const file = { repository, refName: ref.name, folder, objectId, bytes }
  const body = await (rendering === 'preview' ? renderMarkdownFile : findNotebook)(deps.parsers, file)
  // Safe to insert: the renderers sanitize their output.
  return body === null ? null : html`<div class="prose file-prose ${rendering}">${raw(body)}</div>`
}

async function showTable(
  { parsers }: Pick<Deps, 'parsers'>,
  bytes: Uint8Array,
  { path, objectId, repository }: ContentPlace,
): Promise<Html | null> {
  const table = await findTable(parsers, { path, objectId, bytes, ownerId: repository.owner.id })
  // Safe to insert: made by a template that escapes every value.
  return table === null ? null : html`${raw(table)}`
}

async function showLines({ parsers }: Pick<Deps, 'parsers'>, bytes: Uint8Array, place: ContentPlace): Promise<Html> {
  const { path, objectId, from, rawHref, repository, notesShown, target } = place
  const { documentCount, problems } = place.problems
  const notes = problems.filter((problem) => problem.file === path)
  const part = await findSourcePart(parsers, { path, objectId, bytes, from, ownerId: repository.owner.id })
  if (part === null)
    return html`<p class="notice">
      The server is too busy to show this file. Reload the page, or <a href="${rawHref}">open it raw.</a>
    </p>`
  const table = codeTable({
    part,
    notes: chooseNotes(notes, notesShown),
    notesShown,
    place: { repository, documentCount },
    editHref: target && ((line) => editHref(target, { path, line })),
  })
  const warning = part.changesDirection
    ? html`<p class="notice">
        This file contains hidden characters that change the direction of text. They are shown by their codes, such as
        <code>U+202E</code>.
      </p>`
    : ''
  return html`${warning} ${notesBar(notes, place)} ${table}`
}

/** The first line requested by an address; 1 if it is not a number. */
function readFrom(text: string | undefined): number {
  return /^[1-9]\d{0,6}$/.test(text ?? '') ? startOfPart(Number(text)) : 1
}

/** Shows a line of this file in the PDF: a form, so that neither script nor a link per line is needed. */
function showInPdf(repository: Repository, refName: string, path: string): Html {
  return html`<form class="show-in-pdf" action="${repositoryPath(repository)}/synctex/${encodePath(refName)}">
    <input type="hidden" name="path" value="${path}" />
    <label>Line <input name="line" type="number" min="1" value="1" inputmode="numeric" data-line-of-hash /></label>
    <button class="plain-button">${icon('book-open')} Show in PDF</button>
  </form>`
}
