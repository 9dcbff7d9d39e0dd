import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { pdfPath, repositoryPath } from '../../domain/page-urls.ts'
import type { RequestOutcome } from '../../papers/types.ts'
import { sendPage } from '../shell/page.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef } from '../shell/repository/resolve-ref.ts'
import { readField } from '../session/form.ts'

const RETRY_AFTER_S = 30

/** `POST /{owner}/{repo}/builds`: builds a branch, tag or commit without a build, and redirects to the page of its PDF. */
export async function requestBuild(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const ref = await resolveRef(deps.git, repository.id, readField(c, 'ref'))
  if (ref === null) throw new NotFound('Branch, tag or commit not found.')
  const { kind, name, commitId } = ref
  const fullRef = kind === 'commit' ? commitId : `refs/${kind === 'branch' ? 'heads' : 'tags'}/${name}`
  const outcome = await deps.papers.requestBuild({ repository, ref: fullRef, commitId })
  if (outcome === 'asked') return c.redirect(pdfPath(repository, name, readField(c, 'doc') || null), 303)
  const [title, words] = describeRefusal(outcome, { repositoryName: repository.name, refName: name })
  if (outcome === 'busy') c.header('retry-after', String(RETRY_AFTER_S))
  const main = html`<section class="error-page">
    <h1>${title}</h1>
    <p>${words}</p>
    <p><a href="${repositoryPath(repository)}/builds">Builds of ${repository.name}</a></p>
  </section>`
  return sendPage(c, { title, main, status: outcome === 'busy' ? 503 : 422 })
}

function describeRefusal(
  outcome: Exclude<RequestOutcome, 'asked'>,
  { repositoryName, refName }: { readonly repositoryName: string; readonly refName: string },
): readonly [title: string, words: string] {
  switch (outcome) {
    case 'busy':
      return ['Too many builds', `Several builds of ${repositoryName} are queued. Try again in 30 seconds.`]
    case 'disabled':
      return ['Disabled', `An administrator has disabled ${repositoryName}. It is not built.`]
    case 'nothing':
      return ['No document found', `No LaTeX document found at ${refName}.`]
  }
}
