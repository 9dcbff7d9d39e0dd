/**
 * The page of a share link: the PDF, its version, and a download button. Shows nothing else of the repository, and
 * requires no account.
 */
import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { openShareLink } from '../../operations/repository/share-links.ts'
import { shortRefName } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { findDocumentsOfCommit } from '../../papers/detect/find-documents-of-commit.ts'
import { pictureWidths } from '../../papers/cache/page-image-store.ts'
import type { Paper } from '../../papers/types.ts'
import type { ShareLink } from '../../store/repositories/share-links.ts'
import { formatDate } from '../ui/format/format-date.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { sendPage } from '../shell/page.ts'
import { refreshWithoutScript } from '../ui/refresh-without-script.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { findTitle } from '../content/find-title.ts'
import { NotFound } from '../session/errors.ts'
import { resolveFullRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { sendPageImage } from '../shell/response/send-page-image.ts'
import { pdfFileName, sendPdf } from '../shell/response/send-pdf.ts'
import { displayedVersion } from '../ui/document/document-status.ts'
import { linkPreview } from '../ui/document/link-preview.ts'
import { pdfViewer } from '../ui/document/pdf-viewer.ts'

const REFRESH_AFTER_S = 5

/** A valid link with its PDF; `gone` = revoked, expired or deleted. */
type OpenedShare =
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'open'
      readonly link: ShareLink
      readonly repository: Repository
      readonly ref: ResolvedRef
      readonly paper: Paper | null
    }

type Opened = Extract<OpenedShare, { readonly kind: 'open' }>

/** `/s/{token}`. */
export async function showShare(c: Context, deps: Deps): Promise<Response> {
  const share = await openShare(c, deps)
  if (share.kind === 'gone') return showGone(c)
  // Automatic refreshes of an open page do not count as views.
  if (c.req.header('sec-fetch-dest') !== 'empty') await deps.store.shareLinks.countView(share.link.id)
  const { paper, repository } = share
  const name = (paper?.shown && (await findTitle(deps, repository, paper.shown.build))) ?? repository.name
  const path = `/s/${c.req.param('token')}`
  c.header('cache-control', 'private, no-cache')
  return sendPage(c, {
    title: name,
    isBare: true,
    isWide: true,
    isViewer: Boolean(paper?.shown),
    main: sharedPaper(share, {
      name,
      path,
      banner: shareBanner(share, { isObstructed: await isObstructed(deps, share) }),
    }),
    scripts: paper?.shown ? ['pdf-viewer', 'pdf-live'] : ['pdf-live'],
    head: html`<meta name="robots" content="noindex" />
      ${paper !== null && isInProgress(paper.newest) ? refreshWithoutScript(REFRESH_AFTER_S) : ''}
      ${
        paper?.shown
          ? linkPreview({
              title: name,
              description: describeVersion(share),
              url: `${deps.config.baseUrl}${path}`,
              pictureUrl: `${deps.config.baseUrl}${path}/picture.png`,
            })
          : ''
      }`,
  })
}

/** `/s/{token}/paper.pdf`: the PDF. */
export async function sendSharedPdf(c: Context, deps: Deps): Promise<Response> {
  const share = await openShare(c, deps)
  if (share.kind === 'gone') return showGone(c)
  const shown = share.paper?.shown ?? null
  const file = shown?.build.pdfId ? await deps.papers.findPdfFile(shown.build.pdfId) : null
  if (share.paper === null || shown === null || file === null) throw new NotFound('There is no PDF yet.')
  return sendPdf(c, {
    ...shown,
    file,
    newestNumber: share.paper.newest.number,
    fileName: pdfFileName(share.repository, share.ref, share.paper),
    cacheControl: 'private, no-cache',
  })
}

/** `/s/{token}/picture.png?page=1`: an image of one page. */
export async function sendSharedPicture(c: Context, deps: Deps): Promise<Response> {
  const share = await openShare(c, deps)
  if (share.kind === 'gone') return showGone(c)
  const build = share.paper?.shown?.build
  const pdfId = build?.pdfId ?? null
  const page = Number(c.req.query('page') ?? '1')
  if (build === undefined || pdfId === null || !Number.isInteger(page) || page < 1 || page > (build.pageCount ?? 1))
    throw new NotFound('Page not found.')
  const etag = `"${pdfId.slice(0, 32)}-${page}"`
  const headers = { etag, 'cache-control': 'private, no-cache', 'content-type': 'image/png' }
  if (c.req.header('if-none-match') === etag) return c.body(null, 304, headers)
  return sendPageImage(c, deps, { repository: share.repository, pdfId, page, widthPx: pictureWidths[1], headers })
}

/** @throws NotFound for an unknown link. */
async function openShare(c: Context, deps: Deps): Promise<OpenedShare> {
  c.header('x-robots-tag', 'noindex')
  const opened = await openShareLink(deps.store, c.req.param('token') ?? '')
  if (opened === null) throw new NotFound('This share link does not exist. Ask the sender for a new one.')
  if (opened.kind === 'gone') return opened
  const { link, repository } = opened
  const ref = await resolveFullRef(deps.git, repository.id, link.ref)
  // Post-receive of the deletion revokes the link.
  if (ref === null) return { kind: 'gone' }
  const paper = await findRefPaper(deps, repository.id, { ref, document: link.document })
  return { kind: 'open', link, repository, ref, paper }
}

function showGone(c: Context): Promise<Response> {
  const main = html`<section class="error-page">
    <h1>This link no longer works</h1>
    <p>It has expired or was revoked. Ask the sender for a new link.</p>
  </section>`
  c.header('x-robots-tag', 'noindex')
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'This link no longer works', main, status: 410, isBare: true })
}

/** Whether the branch has moved to a commit without a document that can be built. */
async function isObstructed(deps: Deps, { paper, repository, ref }: Opened): Promise<boolean> {
  if (paper?.shown?.status !== 'behind') return false
  return (await findDocumentsOfCommit(deps, repository, ref.commitId)).kind !== 'found'
}

interface SharedPage {
  readonly name: string
  readonly path: string
  readonly banner: Html | ''
}

function sharedPaper(share: Opened, { name, path, banner }: SharedPage): Html {
  const { link, paper, repository } = share
  const shown = paper?.shown ?? null
  const sharedBy = html`Shared by ${repository.owner.name ?? repository.owner.login}.
  ${link.expiresAt === null ? '' : html`This link works until ${formatDate(link.expiresAt)}.`}`
  return html`<header class="shared">
      <h1 class="paper-title">${name}</h1>
      <p class="quiet">${describeVersion(share)}. ${sharedBy}</p>
    </header>
    <div
      data-live="banner"
      data-state="${paper?.newest.state ?? ''}"
      data-seen="${displayedVersion(paper)}"
      role="status"
    >
      ${banner}
    </div>
    ${
      shown === null
        ? ''
        : pdfViewer(
            {
              fileHref: `${path}/paper.pdf`,
              pdfId: shown.build.pdfId ?? '',
              pageCount: shown.build.pageCount,
              label: `${paper?.document ?? repository.name}.pdf`,
              synctexHref: null,
              pictureHref: (page) => `${path}/picture.png?page=${page}`,
            },
            {
              end: html`<div class="viewer-actions">
                <a class="button" href="${path}/paper.pdf" download data-key="d">${icon('download')} Download</a>
              </div>`,
            },
          )
    }`
}

/** `v1-submitted, 3 March 2026, 14 pages`. */
function describeVersion({ link, paper, ref }: Opened): string {
  const build = paper?.shown?.build
  const pageCount = build?.pageCount ?? null
  return [
    ref.kind === 'commit' ? `version ${ref.commitId.slice(0, 7)}` : shortRefName(link.ref),
    build === undefined ? null : formatDate(build.finishedAt ?? build.createdAt),
    pageCount === null ? null : keepCounts(countOf(pageCount, 'page')),
  ]
    .filter((part) => part !== null)
    .join(', ')
}

/** Notice that this is not the newest version, for readers who do not know LaTeX. */
function shareBanner({ paper }: Opened, { isObstructed }: { readonly isObstructed: boolean }): Html | '' {
  if (paper === null) return html`<p class="banner banner-none">○ No PDF of this version has been built yet.</p>`
  const { newest, shown } = paper
  if (shown === null)
    return isInProgress(newest)
      ? html`<p class="banner banner-building">◌ The PDF is being built and will appear here.</p>`
      : html`<p class="banner banner-failed">
          ✕ There is no PDF yet: the paper has errors that the author must fix first.
        </p>`
  const made = timeAgo(shown.build.finishedAt ?? shown.build.createdAt)
  switch (shown.status) {
    case 'building':
      return html`<p class="banner banner-building">
        ◌ A newer version is being built. Showing the version from ${made}.
      </p>`
    case 'older':
      if (newest.state === 'cancelled') return notBuilt(made)
      return html`<p class="banner banner-warned">
        ◐ A newer version has errors. Showing the last good one, from ${made}.
      </p>`
    case 'flawed':
      return html`<p class="banner banner-warned">◐ This version was built with errors. Parts may be missing.</p>`
    case 'behind':
      if (!isObstructed) return notBuilt(made)
      return html`<p class="banner banner-none">
        ○ The newest version cannot be built. Showing the last good one, from ${made}.
      </p>`
    case 'current':
      return ''
  }
}

function notBuilt(made: Html): Html {
  return html`<p class="banner banner-none">○ Newer changes have not been built. Showing the version from ${made}.</p>`
}
