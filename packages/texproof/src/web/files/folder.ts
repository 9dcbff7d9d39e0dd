import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import { findFile } from '../../operations/edit/find-file.ts'
import { maxListedEntries } from '../../git/objects/list-folder.ts'
import { TooManyWaiting } from '../../base/limiter.ts'
import type { Commit, TreeEntry } from '../../git/types.ts'
import { encodePath, newFromPath, repositoryPath, restorePath } from '../../domain/page-urls.ts'
import { breadcrumb } from '../ui/breadcrumb.ts'
import { cloneBox } from './clone-box.ts'
import { commitLine } from '../ui/commit-line.ts'
import { fileTable } from './file-table.ts'
import { moreMenu } from '../ui/more-menu.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { pdfCard } from './pdf-card.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import { decodeText } from '../content/decode-text.ts'
import { isMarkdown, renderMarkdownFile } from '../content/markdown/markdown-file.ts'
import { findObstacle } from '../shell/repository/find-obstacle.ts'
import { findPaperProblems, findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { hasDocuments } from '../shell/repository/has-documents.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { NotFound } from '../session/errors.ts'
import { viewerOf } from '../session/viewer.ts'
import { repositoryTitle, resolveRefAndPath, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

const MAX_README_BYTES = 256 * 1024
/** Entries listed: a folder of data may contain thousands of files. */
const MAX_LISTED = 1000
/** Seconds between reloads without script while a build runs. */
const REFRESH_AFTER_S = 2
/** Milliseconds to wait for the last commits of all entries. */
const PATIENCE_MS = 50

export interface FolderView {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  /** `''` for the root folder. */
  readonly path: string
}

/** `/{owner}/{repo}/tree/{ref}/{path}`: one folder at a branch, tag or commit. */
export async function showTree(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const found = await resolveRefAndPath(deps.git, repository.id, c.req.param('rest') ?? '')
  if (found === null) throw new NotFound('Branch, tag or commit not found.')
  return showFolder(c, deps, { repository, ...found })
}

/** The page of a folder: files, README and, at the top, the PDF. */
export async function showFolder(c: Context, deps: Deps, view: FolderView): Promise<Response> {
  const { repository, ref, path } = view
  const [entries, commit, paper, branches, tags, template] = await Promise.all([
    deps.git.listFolder(repository.id, ref.commitId, path),
    deps.git.findCommit(repository.id, ref.commitId),
    findRefPaper(deps, repository.id, { ref, document: null }),
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
    path === '' && viewerOf(c) !== null ? deps.store.templates.find(repository.id) : 'none',
  ])
  if (entries === null) return redirectToFile(c, deps, view)
  const { problems } = await findPaperProblems(deps, paper, ref.commitId)
  const builds = paper?.documents.filter(({ commitId }) => commitId === ref.commitId) ?? []
  const link = (name: string): string => `${repositoryPath(repository)}/tree/${encodePath(name)}`
  const isTop = path === ''
  const isWritable = ref.kind === 'branch' && mayWrite(c, repository)
  const permalink = `${repositoryPath(repository)}/tree/${ref.commitId}${isTop ? '' : `/${encodePath(path)}`}`
  const listed = entries.slice(0, MAX_LISTED)
  const place = {
    repository,
    refName: ref.name,
    commitId: ref.commitId,
    path,
    builds,
    problems,
    findLastCommits: () => findLastCommits(deps, view, listed),
  }
  // Each waits for git or a thread.
  const [hasCard, obstacle, table, text] = await Promise.all([
    // No card for repositories without documents, unless there was a build.
    isTop && (paper !== null || hasDocuments(deps, repository, ref.commitId)),
    isTop && paper !== null ? findObstacle(deps, { repository, ref, paper }) : null,
    fileTable(listed, place),
    readme(deps, view, entries),
  ])
  const main = html`${repositoryHeader(c, repository, isTop ? 'home' : 'files', ref.name)}
    <div class="${hasCard ? 'with-aside' : ''}">
      ${hasCard ? pdfCard(paper, { repository, ref, problems, obstacle }) : ''}
      <div>
        <div class="bar">
          ${refPicker(ref.name, { branches, tags, link })} ${isTop ? '' : breadcrumb(view)}
          <span class="actions">
            <a href="${repositoryPath(repository)}/find/${encodePath(ref.name)}" data-key="t">Find a file</a>
            <a
              href="${repositoryPath(repository)}/commits/${encodePath(ref.name)}${isTop ? '' : `/${encodePath(path)}`}"
              >History</a
            >
            ${template === 'none' ? '' : html`<a class="drawn-button" href="${newFromPath(repository)}">Use this template</a>`}
            ${isWritable ? html`<a class="${isTop ? 'drawn-button' : 'button'}" href="${repositoryPath(repository)}/new/${encodePath(ref.name)}${isTop ? '' : `/${encodePath(path)}`}">${icon('plus')} Add files</a>` : ''}
          </span>
          ${isTop ? cloneBox(repository, { baseUrl: deps.config.baseUrl, refName: ref.name }) : ''}
          ${moreMenu([
            html`<a href="${repositoryPath(repository)}/search?ref=${encodeURIComponent(ref.name)}">Search files</a>`,
            ref.kind === 'commit' ? '' : html`<a href="${permalink}" data-key="y">Permalink</a>`,
            ref.kind === 'commit' && mayWrite(c, repository)
              ? html`<a href="${restorePath(repository, ref.commitId, path)}">Restore this version</a>`
              : '',
            ...(isTop || !isWritable ? [] : changeLinks(repository, `${encodePath(ref.name)}/${encodePath(path)}`)),
          ])}
        </div>
        ${commitLine(commit, repository)} ${table}
        ${entries.length > MAX_LISTED ? html`<p class="quiet">${entries.length === maxListedEntries ? 'At least ' : ''}${entries.length - MAX_LISTED} more; clone the repository to see them.</p>` : ''}
        ${text}
      </div>
    </div>`
  const isBuilding = isTop && paper !== null && [paper.newest, ...paper.documents].some(isInProgress)
  const title = `${repositoryTitle(repository, ref)}${isTop ? '' : `: ${path}`}`
  return sendPage(c, {
    title,
    main,
    scripts: isBuilding ? ['build-live'] : [],
    head: isBuilding ? refreshWithoutScript(REFRESH_AFTER_S, '?') : '',
  })
}

/**
 * Like the page of a file, which redirects to a folder: links of others do not know which of the two a path is.
 *
 * @throws NotFound if there is no file either.
 */
async function redirectToFile(c: Context, { git }: Deps, { repository, ref, path }: FolderView): Promise<Response> {
  const file = await findFile(git, repository.id, { commitId: ref.commitId, path })
  if (file === null) throw new NotFound(`There is no folder ${path} on ${ref.name}.`)
  return c.redirect(`${repositoryPath(repository)}/blob/${encodePath(`${ref.name}/${path}`)}`)
}

/** The newest commit of each entry; in a long history the first request does not wait for all of them. */
async function findLastCommits(
  { git }: Deps,
  { repository, ref, path }: FolderView,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, Commit>> {
  const folder = { commitId: ref.commitId, path, names: entries.map(({ name }) => name) }
  try {
    return await git.findLastCommits(repository.id, folder, { patienceMs: PATIENCE_MS })
  } catch (error) {
    // The files are shown without their ages.
    if (error instanceof TooManyWaiting) return new Map()
    throw error
  }
}

async function readme(
  { git, parsers }: Deps,
  { repository, ref, path }: FolderView,
  entries: readonly TreeEntry[],
): Promise<Html | ''> {
  const entry = entries.find(({ name, kind }) => kind === 'file' && /^readme(?:\.(?:md|markdown|txt))?$/i.test(name))
  const bytes = entry && (await git.readBlob(repository.id, entry.objectId, { maxBytes: MAX_README_BYTES }))
  if (!entry || !bytes) return ''
  const file = { repository, refName: ref.name, folder: path, objectId: entry.objectId, bytes }
  const body = isMarkdown(entry.name) ? await renderMarkdownFile(parsers, file) : null
  if (body === null)
    return html`<section class="readme" aria-label="README">
      ${isMarkdown(entry.name) ? html`<p class="notice">${entry.name} takes too long to render. Showing the source.</p>` : ''}
      <pre>${decodeText(bytes)}</pre>
    </section>`
  // Safe to insert: the renderer sanitizes its output.
  return html`<section class="readme prose" aria-label="README">${raw(body)}</section>`
}

/** Links that change a folder of a branch. */
function changeLinks(repository: ViewedRepository, address: string): readonly Html[] {
  const link = (action: string, label: string): Html =>
    html`<a href="${repositoryPath(repository)}/${action}/${address}">${label}</a>`
  return [link('move', 'Rename or move'), link('delete', 'Delete')]
}
