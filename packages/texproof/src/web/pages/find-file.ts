import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import { encodePath, repositoryPath } from '../../papers/addresses.ts'
import type { Html } from '../components/html.ts'
import { sendPage } from '../components/page.ts'
import { refPicker, repositoryHeader } from '../components/repository-header.ts'
import { rankPaths } from '../content/rank-paths.ts'
import { findViewedRepository } from '../find/find-viewed-repository.ts'
import type { ViewedRepository } from '../find/find-viewed-repository.ts'
import { NotFound } from '../answer/not-found.ts'
import { resolveRef, type ResolvedRef } from '../find/resolve-ref.ts'

const MAX_FILES = 50_000
const LISTED = 200

/** `/{owner}/{repo}/find/{ref}?q=`: files by a part of their path, the letters in their order. */
export async function showFileFinder(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const ref = await resolveRef(deps.git, repository.id, c.req.param('rest') ?? '')
  if (ref === null) throw new NotFound('No branch, tag or commit of this name.')
  const query = (c.req.query('q') ?? '').trim().slice(0, 200)
  const files = await deps.git.listFiles(repository.id, ref.commitId, { maxFiles: MAX_FILES })
  const paths = (files ?? []).filter(({ kind }) => kind !== 'submodule').map(({ path }) => path)
  const found = rankPaths(paths, query)
  const main = html`${repositoryHeader(c, repository, 'files', ref.name)}
    ${await finderForm(deps, repository, { ref, query })}
    ${files === null ? html`<p class="notice">There are more than ${MAX_FILES} files; they cannot all be searched here.</p>` : ''}
    ${found.length === 0 ? html`<p class="quiet">No path of ${ref.name} has these letters in this order.</p>` : ''}
    <ul class="found-files">
      ${found.slice(0, LISTED).map(
        (path) =>
          html`<li>
            <a href="${repositoryPath(repository)}/blob/${encodePath(ref.name)}/${encodePath(path)}">${path}</a>
          </li>`,
      )}
    </ul>
    ${found.length > LISTED ? html`<p class="quiet">${found.length - LISTED} more; type more letters.</p>` : ''}`
  return sendPage(c, {
    title: `Find a file · ${repository.owner.login}/${repository.name}`,
    main,
    scripts: ['find-file'],
  })
}

async function finderForm(
  { git }: Deps,
  repository: ViewedRepository,
  { ref, query }: { readonly ref: ResolvedRef; readonly query: string },
): Promise<Html> {
  const [branches, tags] = await Promise.all([git.listBranches(repository.id), git.listTags(repository.id)])
  const link = (name: string): string => `${repositoryPath(repository)}/find/${encodePath(name)}`
  return html`<div class="bar">
    ${refPicker(ref.name, { branches, tags, link })}
    <form action="${link(ref.name)}" class="finder">
      <label class="visually-hidden" for="finder">Part of the path</label>
      <input
        id="finder"
        name="q"
        type="search"
        value="${query}"
        placeholder="Part of the path"
        autofocus
        autocomplete="off"
        spellcheck="false"
      />
      <button class="drawn-button">Find</button>
    </form>
  </div>`
}
