import { html } from 'hono/html'

import type { Build, BuildRecord } from '../../domain/build.ts'
import { tellProblem } from '../../domain/format-problem.ts'
import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfFilePath, pdfPath } from '../../domain/page-urls.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../ui/html.ts'
import { paperThumbnail } from '../ui/document/paper-thumbnail.ts'
import { buildState, paperState, proofDot } from '../ui/document/proof-state.ts'
import { timeAgo } from '../ui/format/time-ago.ts'

/** The card on a repository's home: the paper, how it stands, in words, and the ways to it. */
export function pdfCard(paper: Paper | null, repository: Repository, refName: string): Html {
  if (paper === null) {
    return html`<aside class="card" aria-label="PDF">
      <div class="sheet sheet-blank" aria-hidden="true"></div>
      <div class="card-words">
        <p class="state">${proofDot(paperState(null))}</p>
        <p class="actions"><a href="${pdfPath(repository, refName, null)}">Build the PDF</a></p>
      </div>
    </aside>`
  }
  const { documents, document, newest, shown } = paper
  const doc = documents.length > 1 ? document : null
  return html`<aside class="card" aria-label="PDF">
    ${
      shown === null
        ? html`<div class="sheet sheet-blank" aria-hidden="true"></div>`
        : html`<a class="sheet" href="${pdfPath(repository, refName, doc)}"
            >${paperThumbnail({ repository, refName, document: doc, build: shown.build })}</a
          >`
    }
    <div class="card-words">
      <p class="state">${proofDot(paperState(paper))}</p>
      ${shown === null ? '' : html`<p>${describeShown(shown.build)}, ${refName}</p>`}
      ${failureStrip(newest, shown?.build ?? null, repository)}
      ${
        shown === null
          ? ''
          : html`<p class="actions">
              <a class="button" href="${pdfPath(repository, refName, doc)}">Open PDF</a>
              <a href="${pdfFilePath(repository, refName, doc)}" download>Download</a>
            </p>`
      }
      ${documents.length > 1 ? documentLinks(documents, repository, refName) : ''}
    </div>
  </aside>`
}

function describeShown({ pageCount, finishedAt, warnings }: Build): Html {
  const parts = [
    pageCount === null ? null : countOf(pageCount, 'page'),
    warnings.length === 0 ? null : countOf(warnings.length, 'warning'),
  ]
  const counts = parts.filter((part) => part !== null).join(', ')
  return html`${counts}${counts === '' ? '' : ', '}built ${timeAgo(finishedAt ?? Date.now())}`
}

function failureStrip(newest: Build, shown: Build | null, repository: Repository): Html | '' {
  const href = buildPath(repository, newest.number)
  if (isInProgress(newest)) {
    return html`<p class="strip strip-building">
      Building ${newest.commitId.slice(0, 7)}. <a href="${href}">Watch build ${newest.number}</a>
    </p>`
  }
  const first = newest.errors[0]
  if (newest.state !== 'failed' || first === undefined) return ''
  const place = first.file === null ? '' : `${first.file}${first.line === null ? '' : `:${first.line}`} `
  const isOlder = shown !== null && shown.id !== newest.id
  return html`<p class="strip strip-failed">
    ${newest.commitId.slice(0, 7)} failed: <span class="place">${place}</span>${tellProblem(first)}
    <a href="${href}">See ${countOf(newest.errors.length, 'error')}</a
    >${isOlder ? html`<br />Shown here is the last good PDF.` : ''}
  </p>`
}

function documentLinks(documents: readonly BuildRecord[], repository: Repository, refName: string): Html {
  return html`<p class="documents-title">${documents.length} documents</p>
    <ul class="documents">
      ${documents.map((build) => {
        const { dot, tone, words } = buildState(build)
        return html`<li>
          <span class="proof proof-${tone}"
            ><span class="dot" role="img" aria-label="${words}" title="${words}">${dot}</span></span
          >
          <a href="${pdfPath(repository, refName, build.document)}">${build.document}</a>
        </li>`
      })}
    </ul>`
}
