import { html } from 'hono/html'

import type { Build } from '../../domain/build.ts'
import { formatProblem } from '../../domain/format-problem.ts'
import { buildPath, repositoryPath, shortRefName } from '../../domain/page-urls.ts'
import type { Attention } from './find-attention.ts'
import type { Html } from '../ui/html.ts'
import { buildStatus, statusDot } from '../ui/document/document-status.ts'
import { timeUntil } from '../ui/format/time-until.ts'

/** Items that need attention, each with a link to the place to fix it. */
export function attentionList(items: readonly Attention[]): Html {
  return html`<section class="attention" aria-labelledby="attention">
    <h2 id="attention">Needs attention</h2>
    <ul>
      ${items.map((item) => html`<li class="attention-${item.kind}">${describe(item)}</li>`)}
    </ul>
  </section>`
}

function describe(item: Attention): Html {
  if (item.kind === 'token-ends')
    return html`<p class="proof proof-warned">
        <span class="dot" aria-hidden="true">!</span> token expires ${timeUntil(item.endsAt)}
      </p>
      <p><a href="/settings/tokens">${item.token.name}</a></p>`
  const { owner, name } = item.repository
  if (item.kind === 'more')
    return html`<p>
      <a href="${repositoryPath(item.repository)}/builds">${item.count} more in ${owner.login}/${name}</a>
    </p>`
  const { repository, build, document } = item
  const place = html`<a href="${buildPath(repository, build.number)}"
      >${owner.login}/${name} <span class="ref">${shortRefName(build.ref)}</span></a
    >
    ${document === null ? '' : html`<span class="quiet">${document}</span>`}`
  if (item.kind === 'building')
    return html`<p class="proof proof-building"><span class="dot" aria-hidden="true">◌</span> building</p>
      <p>${place}</p>`
  return html`<p>${statusDot(buildStatus(item.build))}</p>
    <p>${place}</p>
    ${firstError(item.build)}`
}

function firstError({ errors }: Build): Html | '' {
  const first = errors[0]
  if (first === undefined) return ''
  const { file, line } = first
  return html`<p class="what">
    ${file === null ? '' : html`<span class="place">${file}${line === null ? '' : `:${line}`}</span>`}
    ${formatProblem(first)}
  </p>`
}
