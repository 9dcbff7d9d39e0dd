import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import { foundLines } from './found-lines.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { findText, isCaseSensitive } from './find-text.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

const LISTED = 300
const MAX_QUERY_LENGTH = 200

/** `/{owner}/{repo}/search?q=&ref=`: lines in all files of a ref that contain a text. */
export async function showRepositorySearch(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const text = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed()
  const refName = c.req.query('ref') ?? repository.defaultBranch
  const ref = await resolveRef(deps.git, repository.id, refName)
  if (ref === null && refName !== repository.defaultBranch) throw new NotFound('Branch, tag or commit not found.')
  const main = html`${repositoryHeader(c, repository, 'files', refName)}
    <h1>Search this repository</h1>
    <form action="${repositoryPath(repository)}/search" class="finder">
      <label class="visually-hidden" for="text">Text in the files of ${refName}</label>
      <input
        id="text"
        name="q"
        type="search"
        value="${text}"
        placeholder="Text in the files of ${refName}"
        maxlength="${MAX_QUERY_LENGTH}"
      />
      <input type="hidden" name="ref" value="${refName}" />
      <button class="button">Search</button>
    </form>
    ${text === '' || ref === null ? html`<p class="quiet">Exact text. Case-sensitive if the query contains a capital letter.</p>` : await results(deps, repository, { ref, text })}`
  return sendPage(c, {
    title: `${text === '' ? 'Search' : `${text} · Search`} · ${repository.owner.login}/${repository.name}`,
    main,
  })
}

async function results(
  deps: Deps,
  repository: ViewedRepository,
  { ref, text }: { readonly ref: ResolvedRef; readonly text: string },
): Promise<Html> {
  const { lines, isWhole } = await findText(deps, repository, { commitId: ref.commitId, text })
  if (lines.length === 0)
    return html`<p class="quiet">
        ${isWhole ? html`No file on ${ref.name} contains "${text}".` : 'The search did not finish. Try a longer text.'}
      </p>
      <p>
        <a href="${repositoryPath(repository)}/find/${encodePath(ref.name)}?q=${encodeURIComponent(text)}"
          >Find a file with this name</a
        >
      </p>`
  const fileCount = new Set(lines.map(({ path }) => path)).size
  return html`<h2 class="visually-hidden">Found</h2>
    <p class="quiet" role="status">
      ${isWhole ? '' : 'At least '}${lines.length} ${lines.length === 1 ? 'line' : 'lines'} in ${fileCount}
      ${fileCount === 1 ? 'file' : 'files'} of ${ref.name}.
    </p>
    ${foundLines(lines.slice(0, LISTED), { repository, refName: ref.name, text, isCaseSensitive: isCaseSensitive(text) })}
    ${lines.length > LISTED ? html`<p class="quiet">The first ${LISTED} results. Refine the search to find others.</p>` : ''}`
}
