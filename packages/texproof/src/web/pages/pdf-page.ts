import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Repository } from '../../domain/types.ts'
import { encodePath, pdfFilePath, pdfPath, repositoryPath } from '../../papers/addresses.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../components/html.ts'
import { icon } from '../components/icon.ts'
import { sendPage } from '../components/page.ts'
import { refPicker, repositoryHeader } from '../components/repository-header.ts'
import type { ViewedRepository } from '../find-viewed-repository.ts'
import { findRefPaper } from '../find-ref-paper.ts'
import { NotFound } from '../not-found.ts'
import type { ResolvedRef } from '../resolve-ref.ts'
import { countCommitsBehind, isUnderWay, pdfBanner } from './pdf-banner.ts'
import { pdfFacts, pdfOutline, pdfProblems } from './pdf-beside.ts'
import { pdfViewer } from './pdf-viewer.ts'

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
  const link = (name: string): string => pdfPath(repository, name, null)
  const main = html`${repositoryHeader(c, repository, 'pdf', ref.name)}
    <div class="bar">
      ${paper?.shown ? downloadLink(repository, ref, paper) : ''} ${refPicker(ref.name, { branches, tags, link })}
      ${paper === null ? '' : documentPicker(paper, repository, ref)}
      ${paper?.shown ? pdfActions(repository, ref, paper) : ''}
    </div>
    ${paper === null ? neverBuilt(ref) : await showPaper(deps, view, paper)}`
  return sendPage(c, {
    title: `${repository.name} @ ${ref.name}`,
    main,
    isWide: true,
    scripts: paper === null ? [] : ['pdf-viewer', 'pdf-live'],
    head: paper !== null && isUnderWay(paper.newest) ? refreshWithoutScript() : '',
  })
}

async function showPaper({ git, config }: Deps, { repository, ref }: PdfPageView, paper: Paper): Promise<Html> {
  const behind = await countCommitsBehind(git, { repository, ref, paper })
  return html`<div
      data-live="banner"
      data-state="${paper.newest.state}"
      data-pdf-id="${paper.shown?.build.pdfId ?? ''}"
      role="status"
    >
      ${pdfBanner({ repository, ref, paper, behind })}
    </div>
    <div class="reader">
      ${
        paper.shown === null
          ? html`<div class="pdf pdf-missing"><p class="quiet">No PDF yet.</p></div>`
          : viewerOf(paper, repository, ref)
      }
      <aside class="beside" aria-label="About this PDF">
        ${pdfProblems(paper, repository)} ${pdfOutline()} ${pdfFacts(paper, repository, config.baseUrl)}
      </aside>
    </div>`
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
      pictureHref: null,
    })}
  </div>`
}

function neverBuilt(ref: ResolvedRef): Html {
  return html`<p class="banner banner-none">
    ○ Never built: no LaTeX document was found at ${ref.name}, or it was pushed before papers were built here.
  </p>`
}

function refreshWithoutScript(): Html {
  return html`<noscript><meta http-equiv="refresh" content="${REFRESH_AFTER_S}" /></noscript>`
}

function documentPicker({ documents, document }: Paper, repository: Repository, ref: ResolvedRef): Html | '' {
  if (documents.length < 2) return ''
  return html`<details class="picker" data-menu>
    <summary><span class="visually-hidden">Document: </span>${document}</summary>
    <div class="menu">
      <ul>
        ${documents.map(
          ({ document: name }) =>
            html`<li>
              <a href="${pdfPath(repository, ref.name, name)}" ${name === document ? html`aria-current="true"` : ''}
                >${name}</a
              >
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

function pdfActions(repository: Repository, ref: ResolvedRef, { documents, document, shown }: Paper): Html {
  const doc = documents.length > 1 ? document : null
  return html`<span class="actions">
    <a href="${pdfFilePath(repository, ref.name, doc)}">Open alone</a>
    ${ref.kind === 'commit' || shown === null ? '' : html`<a href="${pdfPath(repository, shown.build.commitId, doc)}" data-key="y">Permanent link</a>`}
  </span>`
}
