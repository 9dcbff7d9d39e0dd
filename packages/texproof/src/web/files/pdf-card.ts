import { html } from 'hono/html'

import type { Build, BuildProblem, BuildRecord, CommitProblem } from '../../domain/build.ts'
import { formatProblem } from '../../domain/format-problem.ts'
import { failureStatus, isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfFilePath, pdfPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import { displayRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'
import { lineHref } from '../content/line-href.ts'
import type { Html } from '../ui/html.ts'
import { paperThumbnail } from '../ui/document/paper-thumbnail.ts'
import { buildStatus, paperStatus, papersStatus, statusDot } from '../ui/document/document-status.ts'
import { keepCounts } from '../ui/format/keep-counts.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

/** Failed documents of a card whose first error is shown; the others are in the list below. */
const MAX_TOLD = 3

/** The ref of a card, and the problems of its documents. */
export interface CardPlace {
  readonly repository: Repository
  readonly ref: ResolvedRef
  readonly problems: readonly CommitProblem[]
  /** See `findObstacle`: replaces the errors of the builds, which are of another commit. */
  readonly obstacle: Html | null
}

/** The card on a repository's home: the first page, the status of the documents and links to them. */
export function pdfCard(paper: Paper | null, place: CardPlace): Html {
  const { repository, obstacle } = place
  const refName = place.ref.name
  if (paper === null) {
    return html`<aside class="card" aria-label="PDF">
      <div class="sheet sheet-blank" aria-hidden="true"></div>
      <div class="card-words">
        <p class="state">${statusDot(paperStatus(null))}</p>
        <p class="actions"><a href="${pdfPath(repository, refName, null)}">Build the PDF</a></p>
      </div>
    </aside>`
  }
  const { documents, newest, shown, cover } = paper
  const hasMany = documents.length > 1
  const document = hasMany ? (cover?.document ?? null) : null
  return html`<aside class="card" aria-label="PDF">
    ${
      cover === null
        ? html`<div class="sheet sheet-blank" aria-hidden="true"></div>`
        : html`<a class="sheet" href="${pdfPath(repository, refName, document)}"
            >${paperThumbnail({ repository, refName, document, build: cover })}</a
          >`
    }
    <div class="card-words">
      <p class="state">${statusDot(papersStatus(paper))}</p>
      ${buildingStrip([newest, ...documents].find(isInProgress), repository)}
      ${cover === null ? '' : html`<p>${hasMany ? html`${cover.document}: ` : ''}${describeShown(cover)}, ${displayRef(place.ref)}</p>`}
      ${
        obstacle === null
          ? hasMany
            ? failedDocuments(documents, place)
            : failureStrip(newest, shown?.build ?? null, place)
          : html`<p class="strip">${obstacle}</p>`
      }
      ${
        cover === null
          ? ''
          : html`<p class="actions">
              <a class="button" href="${pdfPath(repository, refName, document)}">Open PDF</a>
              <a href="${pdfFilePath(repository, refName, document)}" download>Download</a>
            </p>`
      }
      ${hasMany ? documentLinks(documents, repository, refName) : ''}
    </div>
  </aside>`
}

function describeShown({ pageCount, finishedAt, warningCount }: BuildRecord): Html {
  const parts = [
    pageCount === null ? null : countOf(pageCount, 'page'),
    warningCount === 0 ? null : countOf(warningCount, 'warning'),
  ]
  const counts = keepCounts(parts.filter((part) => part !== null).join(', '))
  return html`${counts}${counts === '' ? '' : ', '}built ${timeAgo(finishedAt ?? Date.now())}`
}

/** Its progress, and the end of the build reloads the page. */
function buildingStrip(build: BuildRecord | undefined, repository: Repository): Html | '' {
  if (build === undefined) return ''
  const href = buildPath(repository, build.number)
  return html`<p class="strip">
    Building ${build.commitId.slice(0, 7)}. <span class="quiet" data-build-events="${href}/events"></span>
    <a href="${href}">Watch build ${build.number}</a>
  </p>`
}

function failureStrip(newest: Build, shown: Build | null, { repository, ref }: CardPlace): Html | '' {
  const first = newest.errors[0]
  if (newest.state !== 'failed' || first === undefined) return ''
  const isOlder = shown !== null && shown.id !== newest.id
  return html`<p class="strip strip-failed">
    ${isOlder || newest.commitId !== ref.commitId ? `${newest.commitId.slice(0, 7)} ${failureStatus(newest)}: ` : ''}${errorAtLine(first, newest, repository)}
    <a href="${buildPath(repository, newest.number)}">Show ${countOf(newest.errors.length, 'error')}</a
    >${isOlder ? html`<br />Showing the last good PDF.` : ''}
  </p>`
}

/** The first error of each failed document, at its line; an error in a shared file is shown once. */
function failedDocuments(documents: readonly BuildRecord[], { repository, ref, problems }: CardPlace): Html {
  const failed = documents.filter(({ state }) => state === 'failed')
  const errors = problems.filter(({ type }) => type === 'error')
  const firstOf = (build: BuildRecord): CommitProblem | undefined =>
    errors.find(({ builds }) => builds.some(({ id }) => id === build.id))
  const byError = Map.groupBy(failed, (build) => firstOf(build) ?? build)
  return html`${[...byError.values()].slice(0, MAX_TOLD).map(([build, ...others]) => {
    if (build === undefined) return ''
    const first = firstOf(build)
    return html`<p class="strip strip-failed">
      ${build.commitId === ref.commitId ? '' : `${build.commitId.slice(0, 7)}: `}<b>${build.document}</b>${others.length === 0 ? '' : ` and ${countOf(others.length, 'other document')}`}
      ${failureStatus(build)}: ${first === undefined ? '' : errorAtLine(first, build, repository)}
      <a href="${buildPath(repository, build.number)}">Show ${countOf(build.errorCount, 'error')}</a>
    </p>`
  })}`
}

/** An error with a link to its line. */
function errorAtLine(error: BuildProblem, { commitId }: BuildRecord, repository: Repository): Html {
  const { file, line } = error
  const href = file === null ? null : lineHref(repository, commitId, { path: file, line: line ?? 1 })
  const place = href === null ? '' : html`<a class="place" href="${href}">${file}${line === null ? '' : `:${line}`}</a>`
  return html`${place} ${formatProblem(error)}`
}

/** Every document with its status; failed ones first. */
function documentLinks(documents: readonly BuildRecord[], repository: Repository, refName: string): Html {
  const sorted = documents.toSorted((left, right) => Number(right.state === 'failed') - Number(left.state === 'failed'))
  return html`<p class="documents-title">${documents.length} documents</p>
    <ul class="documents">
      ${sorted.map((build) => {
        const { dot, tone, text } = buildStatus(build)
        return html`<li>
          <span class="proof proof-${tone}"
            ><span class="dot" role="img" aria-label="${text}" title="${text}">${dot}</span></span
          >
          <a href="${pdfPath(repository, refName, build.document)}">${build.document}</a>
        </li>`
      })}
    </ul>`
}
