import type { Context } from 'hono'
import { html } from 'hono/html'

import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../../operations/deps.ts'
import { encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { refPicker, repositoryHeader } from '../shell/repository/repository-header.ts'
import { pathLimits, type searchPaths } from './search-paths.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'
import { resolveRef, type ResolvedRef } from '../shell/repository/resolve-ref.ts'

const SEARCH = defineTask<typeof searchPaths>(import.meta.resolve('./search-paths.ts'), 'searchPaths')

/** `/{owner}/{repo}/find/{ref}?q=`: files by a part of their path, the letters in their order. */
export async function showFileFinder(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const ref = await resolveRef(deps.git, repository.id, c.req.param('rest') ?? '')
  if (ref === null) throw new NotFound('Branch, tag or commit not found.')
  const query = (c.req.query('q') ?? '').trim().slice(0, 200)
  const list = await deps.git.readFileList(repository.id, ref.commitId)
  const outcome = list && (await deps.parsers.run(SEARCH, { list, query }, { ownerId: repository.owner.id }))
  const found = outcome?.kind === 'done' ? outcome.value : null
  const main = html`${repositoryHeader(c, repository, 'files', ref.name)}
    <h1>Find a file</h1>
    ${await finderForm(deps, repository, { ref, query })}
    <div class="found-status" role="status">
      ${list === null || (outcome?.kind === 'done' && found === null) ? html`<p class="notice">There are more than ${pathLimits.searched} files; they cannot all be searched here.</p>` : ''}
      ${outcome !== null && outcome.kind !== 'done' ? html`<p class="notice">The server is too busy to search the files. Reload the page.</p>` : ''}
      ${found === null ? '' : describeFound(found, ref.name)}
    </div>
    <ul class="found-files">
      ${found?.paths.map(
        (path) =>
          html`<li>
            <a href="${repositoryPath(repository)}/blob/${encodePath(ref.name)}/${encodePath(path)}">${path}</a>
          </li>`,
      )}
    </ul>`
  return sendPage(c, {
    title: `Find a file · ${repository.owner.login}/${repository.name}`,
    main,
    scripts: ['find-file'],
  })
}

/** Says that no file matches, or that not all matching files are listed. */
function describeFound(
  { paths, total }: { readonly paths: readonly string[]; readonly total: number },
  refName: string,
): Html | '' {
  if (total === 0) return html`<p class="quiet">No matching files on ${refName}.</p>`
  if (total === paths.length) return ''
  return html`<p class="quiet">The first ${paths.length} of ${total} files. Refine the search to see the others.</p>`
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
