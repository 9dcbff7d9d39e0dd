import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import type { Build } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfFilePath, pdfPath, repositoryPath } from '../../papers/addresses.ts'
import { countOf } from '../../papers/describe-push.ts'
import { nameTool } from '../../papers/tool-names.ts'
import type { Paper } from '../../papers/types.ts'
import type { Html } from '../components/html.ts'
import type { ViewedRepository } from '../find-viewed-repository.ts'
import { sendPage } from '../components/page.ts'
import { problemList } from '../components/problem-list.ts'
import { paperState, proofDot } from '../components/proof-state.ts'
import { refPicker, repositoryHeader } from '../components/repository-header.ts'
import { timeAgo } from '../components/time-ago.ts'
import { findRefPaper } from '../find-ref-paper.ts'
import { NotFound } from '../not-found.ts'
import type { ResolvedRef } from '../resolve-ref.ts'

const REFRESH_AFTER = 2

/** The page around a paper: one banner that tells how it stands, the PDF, its problems beside it. */
export async function showPdfPage(
  c: Context,
  deps: Deps,
  view: { readonly repository: ViewedRepository; readonly ref: ResolvedRef; readonly document: string | null },
): Promise<Response> {
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
      ${refPicker(ref.name, { branches, tags, link })} ${paper === null ? '' : documentPicker(paper, repository, ref)}
      ${paper?.shown ? pdfActions(repository, ref, paper) : ''}
    </div>
    ${banner(paper, repository, ref)}
    ${
      paper === null
        ? ''
        : html`<div class="reader">
            ${paper.shown === null ? html`<div class="pdf pdf-missing"><p class="quiet">No PDF yet.</p></div>` : embedded(paper, repository, ref)}
            <aside class="beside" aria-label="About this PDF">${beside(paper, repository)}</aside>
          </div>`
    }`
  const isBuilding = paper !== null && isUnderWay(paper.newest)
  return sendPage(c, {
    title: `${repository.name} @ ${ref.name}`,
    main,
    isWide: true,
    refreshAfter: isBuilding ? REFRESH_AFTER : undefined,
  })
}

function isUnderWay({ state }: Build): boolean {
  return state === 'queued' || state === 'running'
}

function documentPicker({ documents, document }: Paper, repository: Repository, ref: ResolvedRef): Html | '' {
  if (documents.length < 2) return ''
  return html`<details class="picker">
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

function pdfActions(repository: Repository, ref: ResolvedRef, { documents, document, shown }: Paper): Html {
  const doc = documents.length > 1 ? document : null
  return html`<span class="actions">
    <a class="button" href="${pdfFilePath(repository, ref.name, doc)}" download>Download</a>
    <a href="${pdfFilePath(repository, ref.name, doc)}">Open alone</a>
    ${ref.kind === 'commit' || shown === null ? '' : html`<a href="${pdfPath(repository, shown.build.commitId, doc)}">Permanent link</a>`}
  </span>`
}

/** Exactly one banner: what the reader is looking at, and what stands in the way of something newer. */
function banner(paper: Paper | null, repository: Repository, ref: ResolvedRef): Html {
  if (paper === null) {
    return html`<p class="banner banner-none">
      ○ Never built: no LaTeX document was found at ${ref.name}, or it was pushed before papers were built here.
    </p>`
  }
  const { newest, shown } = paper
  const dot = proofDot(paperState(paper))
  const buildLink = html`<a href="${buildPath(repository, newest.number)}">build ${newest.number}</a>`
  if (shown === null) {
    return isUnderWay(newest)
      ? html`<p class="banner banner-building">${dot} The first PDF is on its way: ${buildLink}.</p>`
      : html`<p class="banner banner-failed">
          ${dot} ${countOf(newest.errors.length, 'error')} in ${buildLink}, and no older PDF to show.
        </p>`
  }
  const from = html`${shown.build.commitId.slice(0, 7)}, built
  ${timeAgo(shown.build.finishedAt ?? shown.build.createdAt)}`
  switch (shown.standing) {
    case 'current':
      return html`<p class="banner banner-${newest.warnings.length === 0 ? 'good' : 'warned'}">${dot} ${from}.</p>`
    case 'building':
      return html`<p class="banner banner-building">${dot} You are reading ${from}; ${buildLink} is under way.</p>`
    case 'older':
      return html`<p class="banner banner-failed">
        ${dot} The newest commit ${newest.commitId.slice(0, 7)} has ${countOf(newest.errors.length, 'error')}
        (${buildLink}). You are reading the last good one, ${from}.
      </p>`
    case 'flawed':
      return html`<p class="banner banner-failed">
        ${dot} This PDF came out with ${countOf(newest.errors.length, 'error')} (${buildLink}): ${from}. Parts may be
        missing.
      </p>`
    case 'behind':
      return html`<p class="banner banner-none">${dot} ${ref.name} has moved on since; you are reading ${from}.</p>`
  }
}

function embedded({ documents, document }: Paper, repository: Repository, ref: ResolvedRef): Html {
  const href = pdfFilePath(repository, ref.name, documents.length > 1 ? document : null)
  return html`<object
    class="pdf"
    data="${href}#view=FitH&navpanes=0"
    type="application/pdf"
    aria-label="${document}, PDF"
  >
    <p>This browser shows no PDF inside a page. <a href="${href}">Open the PDF</a></p>
  </object>`
}

function beside({ newest, shown }: Paper, repository: Repository): Html {
  const facts = shown?.build ?? newest
  return html`<h2>Problems</h2>
    ${isUnderWay(newest) ? html`<p class="quiet">Known when the build is done.</p>` : problemList(newest, repository)}
    <h2>Made from</h2>
    <dl class="facts">
      <dt>Commit</dt>
      <dd>
        <a href="${repositoryPath(repository)}/tree/${facts.commitId}"><code>${facts.commitId.slice(0, 10)}</code></a>
      </dd>
      <dt>Root</dt>
      <dd><code>${facts.rootFile}</code></dd>
      <dt>Tools</dt>
      <dd>
        ${facts.bibliography === 'none' ? nameTool(facts.engine) : `${nameTool(facts.engine)} and ${nameTool(facts.bibliography)}`}
      </dd>
      <dt>Chosen because</dt>
      <dd>${facts.reason}</dd>
      <dt>Build</dt>
      <dd>
        <a href="${buildPath(repository, facts.number)}">${facts.number}</a>,
        ${countOf(facts.passes.length, 'pass').replace(/passs$/, 'passes')}
      </dd>
      ${
        facts.pdfId === null
          ? ''
          : html`<dt>SHA-256</dt>
              <dd><code class="hash">${facts.pdfId}</code></dd>`
      }
    </dl>`
}
