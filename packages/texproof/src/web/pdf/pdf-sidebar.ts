import { html } from 'hono/html'

import { isInProgress } from '../../domain/build.ts'
import type { Repository } from '../../domain/types.ts'
import { buildPath, pdfPath, repositoryPath, wordCountPath } from '../../domain/page-urls.ts'
import { describeTools } from '../../domain/tool-names.ts'
import type { Paper } from '../../papers/types.ts'
import { breakable } from '../ui/breakable.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { problemList } from '../ui/problem/problem-list.ts'
import type { ProblemPlace } from '../ui/problem/problem-list.ts'

/** Beside the pages: the problems of the newest build, and a link to its log. */
export function pdfProblems(
  { newest, shown, documents }: Paper,
  { repository, refName, editHref }: Pick<ProblemPlace, 'repository' | 'editHref'> & { readonly refName: string },
): Html {
  // Lines of another commit may have moved; and with several documents only the first is searched.
  const pdfRef = shown?.build.id === newest.id && documents.length === 1 ? refName : null
  return html`<section data-live="problems" aria-labelledby="problems">
    <h2 id="problems">Problems</h2>
    ${isInProgress(newest) ? html`<p class="quiet">Listed when the build finishes.</p>` : problemList(newest, { repository, pdfRef, editHref })}
    <p class="quiet">
      <a href="${buildPath(repository, newest.number)}" data-key="l">Log of build ${newest.number}</a>
    </p>
  </section>`
}

/** The contents of the PDF, read from it by script. */
export function pdfOutline(): Html {
  return html`<nav class="outline" data-outline aria-label="Contents" hidden><h2>Contents</h2></nav>`
}

/** The build of the shown PDF, and its permanent address. `settingsHref` null = the viewer may not change it. */
export function pdfFacts(
  paper: Paper,
  repository: Repository,
  { baseUrl, settingsHref }: { readonly baseUrl: string; readonly settingsHref: string | null },
): Html {
  const { documents, document, newest, shown } = paper
  const build = shown?.build ?? newest
  const permanent = `${baseUrl}${pdfPath(repository, build.commitId, documents.length > 1 ? document : null)}`
  return html`<details class="build-details">
    <summary>Build details</summary>
    <div data-live="facts">
      ${shown === null ? '' : permanentLink(permanent)}
      <dl class="facts">
        <dt>Commit</dt>
        <dd>
          <a href="${repositoryPath(repository)}/tree/${build.commitId}"><code>${build.commitId.slice(0, 10)}</code></a>
        </dd>
        <dt>Root file</dt>
        <dd><code>${breakable(build.rootFile)}</code></dd>
        <dt>Tools</dt>
        <dd>
          ${describeTools(build)},
          ${build.passes.length === 1 ? '1 pass' : `${build.passes.length} passes`}${duration(build)}
        </dd>
        <dt>Reason</dt>
        <dd>${build.reason}${settingsHref === null ? '' : html` <a href="${settingsHref}">Change</a>`}</dd>
        ${
          build.pageCount === null
            ? ''
            : html`<dt>Pages</dt>
                <dd>${build.pageCount}</dd>`
        }
        <dt>Words</dt>
        <dd>
          <a href="${wordCountPath(repository, build.commitId, documents.length > 1 ? document : null)}">Count words</a>
        </dd>
        ${
          build.pdfId === null
            ? ''
            : html`<dt>SHA-256</dt>
                <dd><code class="hash">${build.pdfId}</code></dd>`
        }
      </dl>
    </div>
    <p class="quiet" data-untagged hidden>
      This PDF has no accessibility tags: screen readers can read its text but not its structure.
    </p>
  </details>`
}

function permanentLink(address: string): Html {
  return html`<p class="permanent">
    <label for="permanent">Permalink</label>
    <span class="copyable">
      <input id="permanent" type="text" readonly value="${address}" />
      <button type="button" class="plain-button" data-copy="permanent" hidden>${icon('copy')} Copy</button>
    </span>
  </p>`
}

function duration({ startedAt, finishedAt }: Paper['newest']): string {
  return startedAt === null || finishedAt === null ? '' : `, ${((finishedAt - startedAt) / 1000).toFixed(1)} s`
}
