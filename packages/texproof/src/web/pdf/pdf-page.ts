import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, encodePath, pdfFilePath, pdfPath, picturePath, repositoryPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { findDocumentsOfCommit } from '../../papers/detect/find-documents-of-commit.ts'
import { pictureWidths } from '../../papers/cache/page-image-store.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { seenState } from '../ui/document/proof-state.ts'
import { sendPage } from '../shell/page.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findTitle } from '../content/find-title.ts'
import { NotFound } from '../session/errors.ts'
import { fullRefName, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { formToken } from '../session/form.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { editHref } from '../shell/repository/find-edit-target.ts'
import { isBuildRefused, isPdfLost, measureDistances, pdfBanner } from './pdf-banner.ts'
import { pdfFacts, pdfOutline, pdfProblems } from './pdf-sidebar.ts'
import { linkPreview } from '../ui/document/link-preview.ts'
import { pdfViewer } from '../ui/document/pdf-viewer.ts'

/** Seconds until a page without script asks again. */
const REFRESH_AFTER_S = 3

interface PdfPageView {
  readonly repository: ViewedRepository
  readonly ref: ResolvedRef
  readonly document: string | null
}

/** The page around a paper: one banner that tells how it stands, the PDF, its problems beside it. */
export async function showPdfPage(c: Context, deps: Deps, view: PdfPageView): Promise<Response> {
  const { repository, ref, document } = view
  const [paper, branches, tags] = await Promise.all([
    findRefPaper(deps, repository.id, view),
    deps.git.listBranches(repository.id),
    deps.git.listTags(repository.id),
  ])
  if (paper === null && document !== null) throw new NotFound(`${ref.name} has no document ${document}.`)
  const title = paper === null ? null : await findTitle(deps, repository, paper.shown?.build ?? paper.newest)
  const link = (name: string): string => pdfPath(repository, name, null)
  const main = html`${repositoryHeader(c, repository, 'pdf', ref.name)}
    ${title === null ? '' : html`<p class="paper-title">${title}</p>`}
    <div class="bar">
      ${paper?.shown ? downloadLink(repository, ref, paper) : ''} ${refPicker(ref.name, { branches, tags, link })}
      ${paper === null ? '' : documentPicker(paper, repository, ref)}
      ${paper?.shown ? pdfActions(repository, ref, paper) : ''}
    </div>
    ${paper === null ? await neverBuilt(c, deps, view) : await showPaper(c, deps, { ...view, paper })}`
  return sendPage(c, {
    title: pdfTitle({ repository, ref, paper, title }),
    main,
    isWide: true,
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

/** Of public papers only: a preview is fetched by whoever somebody shows the link to. */
function previewOf(
  { config }: Deps,
  { repository, ref }: PdfPageView,
  { paper, title }: { readonly paper: Paper; readonly title: string | null },
): Html {
  const { documents, document, shown } = paper
  const doc = documents.length > 1 ? document : null
  const picture = { document: doc, page: 1, widthPx: pictureWidths[1], pdfId: null }
  const pageCount = shown?.build.pageCount ?? null
  const pages = pageCount === null ? '' : `${countOf(pageCount, 'page')}, `
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

async function showPaper(c: Context, { git, config }: Deps, { repository, ref, paper }: PaperView): Promise<Html> {
  const problems = pdfProblems(paper, {
    repository,
    refName: ref.name,
    editHref: lineEditor(c, { repository, ref, paper }),
  })
  const distances = await measureDistances(git, { repository, ref, paper })
  return html`<div
      data-live="banner"
      data-state="${paper.newest.state}"
      data-seen="${seenState(paper)}"
      ${isInProgress(paper.newest) ? html`data-events="${buildPath(repository, paper.newest.number)}/events"` : ''}
      role="status"
    >
      ${isPdfLost(paper) || isBuildRefused(paper) ? buildAgain(c, { repository, ref, paper }) : ''}
      ${isPdfLost(paper) || (isBuildRefused(paper) && paper.shown === null) ? '' : pdfBanner({ repository, ref, paper, distances })}
    </div>
    <div class="reader">
      ${paper.shown === null ? html`<div>${withoutPdf(paper, problems)}</div>` : viewerOf(paper, repository, ref)}
      <aside class="beside" aria-label="About this PDF">
        ${paper.shown === null ? '' : html`${problems} ${pdfOutline()}`} ${pdfFacts(paper, repository, config.baseUrl)}
      </aside>
    </div>`
}

/** A build that was refused before it started, or whose PDF the cache has deleted. */
function buildAgain(c: Context, { repository, ref, paper }: Omit<PaperView, 'document'>): Html {
  return html`<div class="banner banner-none">
    <p>
      ${isBuildRefused(paper) ? tellProblemOf(paper) : `The PDF of build ${paper.newest.number} is no longer stored.`}
    </p>
    ${buildForm(c, { repository, ref }, 'Build again')}
  </div>`
}

function tellProblemOf({ newest }: Paper): string {
  return `Build ${newest.number} did not run. ${newest.errors[0]?.message ?? ''}`
}

/** What stands in the way of a PDF takes its place. */
function withoutPdf({ newest }: Paper, problems: Html): Html {
  return isInProgress(newest) ? html`<p class="quiet">The pages appear here by themselves.</p>` : problems
}

/** Lines are edited on a branch that still is where the newest build found it. */
function lineEditor(
  c: Context,
  { repository, ref, paper }: Omit<PaperView, 'document'>,
): ((place: { readonly path: string; readonly line: number }) => string) | null {
  const { documents, document, newest } = paper
  if (!mayWrite(c, repository) || ref.kind !== 'branch' || newest.commitId !== ref.commitId) return null
  const pdfDocument = documents.length > 1 ? document : null
  return (place) => editHref({ repository, branch: ref.name }, { ...place, pdfDocument })
}

function viewerOf({ documents, document, shown }: Paper, repository: Repository, ref: ResolvedRef): Html {
  const doc = documents.length > 1 ? document : null
  const query = doc === null ? '' : `?doc=${encodeURIComponent(doc)}`
  return html`<div class="paper">
    ${pdfViewer({
      fileHref: pdfFilePath(repository, ref.name, doc),
      pdfId: shown?.build.pdfId ?? '',
      pageCount: shown?.build.pageCount ?? null,
      label: `${document}.pdf`,
      synctexHref: `${repositoryPath(repository)}/synctex/${encodePath(ref.name)}${query}`,
      pictureHref: (page) =>
        picturePath(repository, ref.name, {
          document: doc,
          page,
          widthPx: pictureWidths[1],
          pdfId: shown?.build.pdfId ?? null,
        }),
    })}
  </div>`
}

/** Reading starts no build, for robots read too; the reader does, by a button. */
async function neverBuilt(c: Context, deps: Deps, { repository, ref }: PdfPageView): Promise<Html> {
  const name = ref.kind === 'commit' ? ref.commitId.slice(0, 10) : ref.name
  const found = await findDocumentsOfCommit(deps, repository, ref.commitId)
  if (found.kind === 'misconfigured')
    return html`<p class="banner banner-failed">✕ <code>${found.file}</code> ${found.message}</p>`
  if (found.kind === 'unreadable')
    return html`<p class="banner banner-failed">✕ The LaTeX sources at ${name} take too long to read.</p>`
  if (found.kind === 'none')
    return html`<p class="banner banner-none">
      No LaTeX document was found at ${name}: nothing with both <code>\\documentclass</code> and
      <code>\\begin{document}</code>.
    </p>`
  return html`<div class="banner banner-none">
    <p>
      <span class="proof proof-none"><span class="dot" aria-hidden="true">○</span> never built</span>
      No build has run for ${name} yet.
    </p>
    ${buildForm(c, { repository, ref }, 'Build now')}
  </div>`
}

function buildForm(c: Context, { repository, ref }: Pick<PdfPageView, 'repository' | 'ref'>, label: string): Html {
  return html`<form method="post" action="${repositoryPath(repository)}/builds">
    ${formToken(c)}
    <input type="hidden" name="ref" value="${ref.name}" />
    <button class="button">${label}</button>
  </form>`
}

function documentPicker({ documents, document }: Paper, repository: Repository, ref: ResolvedRef): Html | '' {
  if (documents.length < 2) return ''
  return html`<details class="picker" data-menu>
    <summary><span class="visually-hidden">Document: </span>${document}</summary>
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
              ${build.state === 'failed' ? html`<span class="proof proof-failed">✕ failed</span>` : ''}
            </li>`,
        )}
      </ul>
    </div>
  </details>`
}

/** First in the order of the tab key: who cannot read the page can still have the file. */
function downloadLink(repository: Repository, ref: ResolvedRef, { documents, document }: Paper): Html {
  const href = pdfFilePath(repository, ref.name, documents.length > 1 ? document : null)
  return html`<a class="button" href="${href}" download data-key="d">${icon('download')} Download</a>`
}

function pdfActions(repository: ViewedRepository, ref: ResolvedRef, { documents, document, shown }: Paper): Html {
  const doc = documents.length > 1 ? document : null
  return html`<span class="actions">
    ${repository.permission === 'admin' ? html`<a href="${sharePath(repository, ref, doc)}">${icon('share-2')} Share</a>` : ''}
    <a href="${pdfFilePath(repository, ref.name, doc)}">Open alone</a>
    ${ref.kind === 'commit' || shown === null ? '' : html`<a href="${pdfPath(repository, shown.build.commitId, doc)}" data-key="y">Permanent link</a>`}
  </span>`
}

/** The settings page with this version chosen already. */
function sharePath(repository: Repository, ref: ResolvedRef, document: string | null): string {
  const query = new URLSearchParams({ ref: fullRefName(ref), ...(document === null ? {} : { doc: document }) })
  return `${repositoryPath(repository)}/settings/share?${query}`
}
