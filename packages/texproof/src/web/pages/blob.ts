import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Build, BuildProblem } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, encodePath, repositoryPath } from '../../papers/addresses.ts'
import { breadcrumb } from '../components/breadcrumb.ts'
import type { Html } from '../components/html.ts'
import { marginNote } from '../components/margin-note.ts'
import { sendPage } from '../components/page.ts'
import { isBoxWarning } from '../components/problem-list.ts'
import { refPicker, repositoryHeader } from '../components/repository-header.ts'
import { showInPdf } from '../components/show-in-pdf.ts'
import { decodeText } from '../content/decode-text.ts'
import { fileKind, type FileKind } from '../content/file-kind.ts'
import { findFile } from '../find-file.ts'
import { findRefPaper } from '../find-ref-paper.ts'
import { findViewedRepository } from '../find-viewed-repository.ts'
import { NotFound } from '../not-found.ts'
import { resolveRefAndPath, type ResolvedRef } from '../resolve-ref.ts'

const MAX_SHOWN_BYTES = 1024 * 1024
const MAX_SHOWN_LINES = 8_000

/** `/{owner}/{repo}/blob/{ref}/{path}`: a file with line numbers, and the newest build's notes on its lines. */
export async function showBlob(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const found = await resolveRefAndPath(deps.git, repository.id, c.req.param('rest') ?? '')
  if (found === null) throw new NotFound('No branch, tag or commit of this name.')
  const { ref, path } = found
  const file = await findFile(deps.git, repository.id, { commitId: ref.commitId, path })
  if (file === null || file.kind === 'submodule') throw new NotFound(`${ref.name} has no file ${path}.`)
  if (file.kind === 'folder')
    return c.redirect(`${repositoryPath(repository)}/tree/${encodePath(ref.name)}/${encodePath(path)}`)

  const [bytes, branches, tags, paper] = await Promise.all([
    deps.git.readBlob(repository.id, file.objectId, { maxBytes: MAX_SHOWN_BYTES }),
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
    findRefPaper(deps, repository.id, { ref, document: null }),
  ])
  const build = paper !== null && paper.newest.commitId === ref.commitId ? paper.newest : null
  const address = (page: string): string =>
    `${repositoryPath(repository)}/${page}/${encodePath(ref.name)}/${encodePath(path)}`
  const link = (name: string): string => `${repositoryPath(repository)}/blob/${encodePath(name)}/${encodePath(path)}`
  const main = html`${repositoryHeader(c, repository, 'files', ref.name)}
    <div class="bar">
      ${refPicker(ref.name, { branches, tags, link })} ${breadcrumb({ repository, ref, path })}
      <span class="actions">
        ${isTexSource(path) && paper?.shown ? showInPdf(repository, ref.name, path) : ''}
        <a href="${address('raw')}">Raw</a>
        <a href="${address('raw')}" download>Download</a>
        ${ref.kind === 'commit' ? '' : html`<a href="${permalink(repository, ref, path)}">Permalink</a>`}
      </span>
    </div>
    ${bytes === null ? tooLarge(address('raw')) : showContent(path, bytes, { rawHref: address('raw'), build, repository })}`
  const title = `${path} · ${repository.owner.login}/${repository.name}`
  return sendPage(c, { title, main, isWide: true, scripts: isTexSource(path) ? ['show-in-pdf'] : [] })
}

/** Sources whose lines SyncTeX follows. */
function isTexSource(path: string): boolean {
  return /\.(?:tex|ltx|latex|tikz|pgf)$/i.test(path)
}

function permalink(repository: Repository, { commitId }: ResolvedRef, path: string): string {
  return `${repositoryPath(repository)}/blob/${commitId}/${encodePath(path)}`
}

function tooLarge(rawHref: string): Html {
  return html`<p class="notice">This file is too large to show here. <a href="${rawHref}">Open it raw.</a></p>`
}

interface ContentPlace {
  readonly rawHref: string
  readonly build: Build | null
  readonly repository: Repository
}

function showContent(path: string, bytes: Uint8Array, place: ContentPlace): Html {
  if (bytes.byteLength === 0) return html`<p class="quiet">This file is empty.</p>`
  const kind: FileKind = fileKind(path, bytes)
  if (kind === 'image') return html`<p class="picture"><img src="${place.rawHref}" alt="${path}" /></p>`
  if (kind === 'pdf')
    return html`<object class="pdf" data="${place.rawHref}" type="application/pdf">
      <a href="${place.rawHref}">Open the PDF</a>
    </object>`
  if (kind === 'binary')
    return html`<p class="notice">
      ${bytes.byteLength} bytes that are no text. <a href="${place.rawHref}">Download</a>
    </p>`
  return codeTable(decodeText(bytes), path, place)
}

function codeTable(text: string, path: string, { build, repository }: ContentPlace): Html {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const problems =
    build === null
      ? []
      : [...build.errors, ...build.warnings].filter((problem) => problem.file === path && !isBoxWarning(problem))
  const byLine = Map.groupBy(problems, ({ line }) => line ?? 1)
  return html`<table class="code">
      <tbody>
        ${lines.slice(0, MAX_SHOWN_LINES).map((line, at) => codeRow(line, at + 1, { notes: byLine.get(at + 1) ?? [], build, repository }))}
      </tbody>
    </table>
    ${lines.length > MAX_SHOWN_LINES ? html`<p class="quiet">${lines.length - MAX_SHOWN_LINES} more lines; open the file raw to see them.</p>` : ''}`
}

function codeRow(
  text: string,
  line: number,
  { notes, build, repository }: { notes: readonly BuildProblem[]; build: Build | null; repository: Repository },
): Html {
  const worst = notes.some(({ type }) => type === 'error') ? 'error' : notes.length > 0 ? 'warning' : null
  return html`<tr id="L${line}" ${worst === null ? '' : html`class="marked marked-${worst}"`}>
    <td class="number">
      <a
        href="#L${line}"
        aria-label="Line ${line}${worst === null ? '' : `, ${notes.length} ${notes.length === 1 ? 'note' : 'notes'}`}"
        >${line}</a
      >
    </td>
    <td class="text">
      <code>${text === '' ? '\n' : text}</code
      >${notes.map((note) => marginNote(note, build && { href: buildPath(repository, build.number), number: build.number }))}
    </td>
  </tr>`
}
