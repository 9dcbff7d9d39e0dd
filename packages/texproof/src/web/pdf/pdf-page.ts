import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import {
  buildPath,
  buildSettingsPath,
  encodePath,
  pdfFilePath,
  pdfPath,
  picturePath,
  repositoryPath,
} from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { findDocumentsOfCommit } from '../../papers/detect/find-documents-of-commit.ts'
import { pictureWidths } from '../../papers/cache/page-image-store.ts'
import type { Paper } from '../../papers/types.ts'
import { moreMenu } from '../ui/more-menu.ts'
import type { Html } from '../ui/html.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { describeObstacle, findObstacle, isBehind } from '../shell/repository/find-obstacle.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findTitle } from '../content/find-title.ts'
import { displayRef, fullRefName, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { formToken } from '../session/form.ts'
import { redirectWithNotice } from '../session/notice.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { editHref } from '../shell/repository/find-edit-target.ts'
import { isBuildRefused, isPdfLost, measureDistances, pdfBanner, displayedStatus } from './pdf-banner.ts'
import { pdfFacts, pdfOutline, pdfProblems } from './pdf-sidebar.ts'
import { linkPreview } from '../ui/document/link-preview.ts'
import { buildStatus, statusDot, displayedVersion } from '../ui/document/document-status.ts'
import { paperViewer } from '../ui/document/paper-viewer.ts'

/** Seconds between reloads without script. */
const REFRESH_AFTER_S = 3

interface PdfPageView {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly document: string | null
}

/** The PDF of a ref: a viewer with its toolbar, and status, problems, contents and build details beside the pages. */
export async function showPdfPage(c: Context, deps: Deps, view: PdfPageView): Promise<Response> {
  const { repository, ref, document } = view
  const [paper, branches, tags] = await Promise.all([
    findRefPaper(deps, repository.id, view),
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
  ])
  // The menu of refs links to the same document of another ref, which may not have it.
  if (paper === null && document !== null) {
    const path = pdfPath(repository, ref.name, null)
    const other = await findRefPaper(deps, repository.id, { ref, document: null })
    return other === null ? c.redirect(path, 303) : redirectWithNotice(c, path, 'document-missing')
  }
  const title = paper === null ? null : await findTitle(deps, repository, paper.shown?.build ?? paper.newest)
  const name = paper !== null && paper.documents.length > 1 ? paper.document : `PDF of ${repository.name}`
  const heading = html`<h1 class="paper-title">${title ?? name}</h1>`
  const doc = paper !== null && paper.documents.length > 1 ? paper.document : document
  const picker = refPicker(ref.name, { branches, tags, link: (name) => pdfPath(repository, name, doc) })
  const main = html`${repositoryHeader(c, repository, 'pdf', ref.name)} ${heading}
  ${
    paper === null
      ? html`<div class="bar">${picker}</div>
          ${await neverBuilt(c, deps, view)}`
      : await showPaper(c, deps, { ...view, paper, picker })
  }`
  return sendPage(c, {
    title: pdfTitle({ repository, ref, paper, title }),
    main,
    isWide: true,
    isViewer: Boolean(paper?.shown),
    scripts: paper === null ? [] : ['pdf-viewer', 'pdf-live'],
    head: html`${paper !== null && isInProgress(paper.newest) ? refreshWithoutScript(REFRESH_AFTER_S) : ''}
    ${paper?.shown && repository.visibility === 'public' ? previewOf(deps, view, { paper, title }) : ''}`,
  })
}

/** The paper's own title, with the document's name where the commit has several. */
function pdfTitle({
  repository,
  ref,
  paper,
  title,
}: Omit<PdfPageView, 'document'> & { readonly paper: Paper | null; readonly title: string | null }): string {
  const document = paper !== null && paper.documents.length > 1 ? paper.document : null
  const names = [title ?? (document === null ? repository.name : null), document].filter((name) => name !== null)
  return `${names.join(' · ')} @ ${ref.name}`
}

/** Public papers only: other sites fetch previews anonymously. */
function previewOf(
  { config }: Deps,
  { repository, ref }: PdfPageView,
  { paper, title }: { readonly paper: Paper; readonly title: string | null },
): Html {
  const { documents, document, shown } = paper
  const doc = documents.length > 1 ? document : null
  const picture = { document: doc, page: 1, widthPx: pictureWidths[1], pdfId: null }
  const pageCount = shown?.build.pageCount ?? null
  const pages = pageCount === null ? '' : `${keepCounts(countOf(pageCount, 'page'))}, `
  return linkPreview({
    title: title ?? repository.name,
    description: `${pages}${repository.owner.login}/${repository.name} at ${ref.name}`,
    url: `${config.baseUrl}${pdfPath(repository, ref.name, doc)}`,
    pictureUrl: `${config.baseUrl}${picturePath(repository, ref.name, picture)}`,
  })
}

interface PaperView extends PdfPageView {
  readonly paper: Paper
}

async function showPaper(
  c: Context,
  deps: Deps,
  { repository, ref, document, paper, picker }: PaperView & { readonly picker: Html },
): Promise<Html> {
  const problems = pdfProblems(paper, {
    repository,
    refName: ref.name,
    editHref: lineEditor(c, { repository, ref, paper }),
  })
  const [distances, obstacle] = await Promise.all([
    measureDistances(deps.git, { repository, ref, paper }),
    findObstacle(deps, { repository, ref, paper }),
  ])
  const request = (label: string): Html =>
    obstacle === null ? buildForm(c, { repository, ref, document }, label) : html`<p>${obstacle}</p>`
  const isRefused = isPdfLost(paper) || isBuildRefused(paper)
  const banner = html`<div
    data-live="banner"
    data-state="${paper.newest.state}"
    data-seen="${displayedVersion(paper)}"
    ${isInProgress(paper.newest) ? html`data-events="${buildPath(repository, paper.newest.number)}/events"` : ''}
    role="status"
  >
    ${isRefused ? buildAgain(paper, request('Build again')) : ''}
    ${isRefused && paper.shown === null ? '' : pdfBanner({ repository, ref, paper, distances })}
    ${isBehind({ ref, paper }) && !isRefused ? request('Build now') : ''}
  </div>`
  const pickers = html`${picker} ${documentPicker(paper, repository, ref)}`
  const settingsHref = settingsPath(c, repository, ref)
  const facts = pdfFacts(paper, repository, { baseUrl: deps.config.baseUrl, settingsHref })
  if (paper.shown === null)
    return html`<div class="bar">${pickers}</div>
      ${banner} ${withoutPdf(paper, problems)} ${facts}`
  const status = html`<a class="viewer-status" href="#about" data-part="panel" title="Status and problems"
    ><span data-live="status">${statusDot(displayedStatus({ ref, paper }))}</span></a
  >`
  return paperViewer(
    paper,
    { repository, refName: ref.name },
    {
      start: html`${pickers} ${status}`,
      end: pdfActions(repository, ref, { paper, mayFreeze: mayWrite(c, repository), settingsHref }),
      aside: html`<aside class="beside" id="about" aria-label="About this PDF">
        ${banner} ${problems} ${pdfOutline()} ${facts}
      </aside>`,
    },
  )
}

/** Rebuilds after a build that was refused before it started, or whose PDF was deleted from the cache. */
function buildAgain(paper: Paper, request: Html): Html {
  return html`<div class="banner banner-none">
    <p>
      ${isBuildRefused(paper) ? describeRefusal(paper) : `The PDF of build ${paper.newest.number} is no longer stored.`}
    </p>
    ${request}
  </div>`
}

function describeRefusal({ newest }: Paper): string {
  return `Build ${newest.number} did not run. ${newest.errors[0]?.message ?? ''}`
}

/** Shown in place of a missing PDF: what prevents it. */
function withoutPdf({ newest }: Paper, problems: Html): Html {
  return isInProgress(newest) ? html`<p class="quiet">The PDF appears here when the build finishes.</p>` : problems
}

/** Links lines to the editor if a branch still points to the commit of the newest build. */
function lineEditor(
  c: Context,
  { repository, ref, paper }: Omit<PaperView, 'document'>,
): ((place: { readonly path: string; readonly line: number }) => string) | null {
  const { documents, document, newest } = paper
  if (!mayWrite(c, repository) || ref.kind !== 'branch' || newest.commitId !== ref.commitId) return null
  const pdfDocument = documents.length > 1 ? document : null
  return (place) => editHref({ repository, branch: ref.name }, { ...place, pdfDocument })
}

/** Opening the page starts no build, because crawlers open it too; a button does. */
async function neverBuilt(c: Context, deps: Deps, { repository, ref }: PdfPageView): Promise<Html> {
  const settingsHref = settingsPath(c, repository, ref)
  const found = await findDocumentsOfCommit(deps, repository, ref.commitId)
  const obstacle = describeObstacle(found, ref)
  if (found.kind === 'none') return html`<p class="banner banner-none">${obstacle}</p>`
  if (obstacle !== null)
    return html`<p class="banner banner-failed">✕ ${obstacle}</p>
      ${found.kind === 'misconfigured' && settingsHref !== null ? html`<p><a class="drawn-button" href="${settingsHref}">Build settings</a></p>` : ''}`
  return html`<div class="banner banner-none">
    <p>
      <span class="proof proof-none"><span class="dot" aria-hidden="true">○</span> not built</span>
      No build has run for ${displayRef(ref)}.
    </p>
    ${buildForm(c, { repository, ref, document: null }, 'Build now')}
  </div>`
}

function buildForm(c: Context, { repository, ref, document }: PdfPageView, label: string): Html {
  return html`<form method="post" action="${repositoryPath(repository)}/builds">
    ${formToken(c)}
    <input type="hidden" name="ref" value="${ref.name}" />
    ${document === null ? '' : html`<input type="hidden" name="doc" value="${document}" />`}
    <button class="button">${label}</button>
  </form>`
}

function documentPicker({ documents, document }: Paper, repository: Repository, ref: ResolvedRef): Html | '' {
  if (documents.length < 2) return ''
  return html`<details class="picker" data-menu>
    <summary><span class="visually-hidden">Document: </span><span class="name">${document}</span></summary>
    <div class="menu">
      <ul>
        ${documents.map(
          (build) =>
            html`<li>
              <a
                href="${pdfPath(repository, ref.name, build.document)}"
                ${build.document === document ? html`aria-current="true"` : ''}
                >${build.document}</a
              >
              ${build.state === 'failed' ? statusDot(buildStatus(build)) : ''}
            </li>`,
        )}
      </ul>
    </div>
  </details>`
}

/** One primary action, two quiet ones and a menu. */
function pdfActions(
  repository: ViewedRepository,
  ref: ResolvedRef,
  {
    paper: { documents, document, shown },
    mayFreeze,
    settingsHref,
  }: { readonly paper: Paper; readonly mayFreeze: boolean; readonly settingsHref: string | null },
): Html {
  const doc = documents.length > 1 ? document : null
  const file = pdfFilePath(repository, ref.name, doc)
  const shareHref = repository.permission === 'admin' ? sharePath(repository, ref, doc) : null
  const compareHref = comparePath(repository, ref)
  return html`<div class="viewer-actions">
    <span class="quiet-actions"
      >${shareHref === null ? '' : html`<a href="${shareHref}" title="Share">${icon('share-2')} <span>Share</span></a>`}
      <a href="${compareHref}" title="Compare">${icon('git-compare')} <span>Compare</span></a>
    </span>
    <a class="button" href="${file}" download data-key="d" title="Download"
      >${icon('download')} <span>Download</span></a
    >
    ${moreMenu([
      html`<a href="${file}">Open PDF file</a>`,
      ref.kind === 'commit' || shown === null
        ? ''
        : html`<a href="${pdfPath(repository, shown.build.commitId, doc)}" data-key="y">Permalink</a>`,
      mayFreeze && shown !== null
        ? html`<a href="${freezePath(repository, shown.build.commitId)}">Tag this version</a>`
        : '',
      html`<a href="${exportPath(repository, ref, { document: doc, target: 'arxiv' })}">Export for arXiv</a>`,
      html`<a href="${exportPath(repository, ref, { document: doc, target: 'journal' })}">Export for a journal</a>`,
      settingsHref === null ? '' : html`<a href="${settingsHref}">Build settings</a>`,
      shareHref === null ? '' : html`<span class="narrow-only"><a href="${shareHref}">Share</a></span>`,
      html`<span class="narrow-only"><a href="${compareHref}">Compare</a></span>`,
    ])}
  </div>`
}

/** Comparison with the PDF of the default branch; on the default branch itself, a page to choose the other ref. */
function comparePath(repository: Repository, { name }: ResolvedRef): string {
  const base = `${repositoryPath(repository)}/compare`
  const range =
    name === repository.defaultBranch ? '' : `/${encodePath(repository.defaultBranch)}...${encodePath(name)}`
  return `${base}${range}?view=pages`
}

/** The build settings of a branch; null if the viewer may not change them. */
function settingsPath(c: Context, repository: ViewedRepository, { kind, name }: ResolvedRef): string | null {
  return kind === 'branch' && mayWrite(c, repository) ? buildSettingsPath(repository, name) : null
}

/** The form for a tag of the shown version. */
function freezePath(repository: Repository, commitId: string): string {
  const query = new URLSearchParams({ from: commitId, message: 'Submitted to ' })
  return `${repositoryPath(repository)}/tags/new?${query}`
}

/** The form for a package of this document. */
function exportPath(
  repository: Repository,
  { name }: ResolvedRef,
  { document, target }: { readonly document: string | null; readonly target: string },
): string {
  const query = new URLSearchParams({ for: target, ...(document === null ? {} : { doc: document }) })
  return `${repositoryPath(repository)}/export/${encodePath(name)}?${query}`
}

/** The settings page with this version selected. */
function sharePath(repository: Repository, ref: ResolvedRef, document: string | null): string {
  const query = new URLSearchParams({ ref: fullRefName(ref), ...(document === null ? {} : { doc: document }) })
  return `${repositoryPath(repository)}/settings/share?${query}`
}
