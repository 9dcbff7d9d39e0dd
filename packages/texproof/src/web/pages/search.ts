import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../deps.ts'
import { sendPage } from '../components/page.ts'
import { repositoryTable } from '../components/repository-table.ts'
import { viewerOf } from '../viewer.ts'

const LISTED = 50
const MAX_QUERY_LENGTH = 200

/** `/search?q=`: repositories by name, owner and description, of those that the viewer may see. */
export async function showSearch(c: Context, deps: Deps): Promise<Response> {
  const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH)
  const found =
    query === ''
      ? []
      : await deps.store.repositories.search({ text: query, viewerId: viewerOf(c)?.id ?? null, limit: LISTED })
  const main = html`<section class="profile">
    <h1>Search</h1>
    <form action="/search" class="search-form">
      <p class="field">
        <label for="query">Name, owner or description of a repository</label>
        <input id="query" name="q" type="search" value="${query}" maxlength="${MAX_QUERY_LENGTH}" />
      </p>
      <p><button class="button">Search</button></p>
    </form>
    ${query === '' ? '' : await results()}
  </section>`
  return sendPage(c, { title: query === '' ? 'Search' : `${query} · Search`, main, query })

  async function results() {
    if (found.length === 0) return html`<p class="quiet">Nothing fits "${query}".</p>`
    return html`${await repositoryTable(found, deps, { isOwnerShown: true })}
    ${found.length === LISTED ? html`<p class="quiet">The ${LISTED} newest; say more to find others.</p>` : ''}`
  }
}
