import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { findListedPapers } from '../shell/repository/find-listed-paper.ts'
import { unlessDamaged } from '../shell/repository/unless-damaged.ts'
import { repositoryTable } from '../ui/repository-table.ts'
import { findText } from './find-text.ts'
import { textResults, type RepositoryText } from './text-results.ts'
import { viewerOf } from '../session/viewer.ts'

const LISTED = 50
const MAX_QUERY_LENGTH = 200
/** Repositories whose files are searched, the newest first. */
const SEARCHED = 30
/** Shorter texts match everywhere. */
const MIN_TEXT_LENGTH = 3

/** `/search?q=&in=`: repositories by name, owner and description, or lines of files, among those the viewer may see. */
export async function showSearch(c: Context, deps: Deps): Promise<Response> {
  const query = (c.req.query('q') ?? '').trim().slice(0, MAX_QUERY_LENGTH).toWellFormed()
  const isOfText = c.req.query('in') === 'files'
  const main = html`<section class="profile">
    <h1>Search</h1>
    <form action="/search" class="finder">
      <label class="visually-hidden" for="query"
        >${isOfText ? 'Text in files' : 'Name, owner or description of a repository'}</label
      >
      <input
        id="query"
        name="q"
        type="search"
        value="${query}"
        placeholder="${isOfText ? 'Text in files' : 'Repositories'}"
        maxlength="${MAX_QUERY_LENGTH}"
      />
      ${isOfText ? html`<input type="hidden" name="in" value="files" />` : ''}
      <button class="button">Search</button>
    </form>
    ${query === '' ? '' : html`${ways(query, isOfText)} ${isOfText ? await foundText(c, deps, query) : await foundRepositories(c, deps, query)}`}
  </section>`
  return sendPage(c, { title: query === '' ? 'Search' : `${query} · Search`, main, query })
}

function ways(query: string, isOfText: boolean): Html {
  const text = encodeURIComponent(query)
  return html`<nav class="tabs" aria-label="What to search">
    <a href="/search?q=${text}" ${isOfText ? '' : html`aria-current="page"`}>Repositories</a>
    <a href="/search?q=${text}&in=files" ${isOfText ? html`aria-current="page"` : ''}>Files</a>
  </nav>`
}

async function foundRepositories(c: Context, deps: Deps, text: string): Promise<Html> {
  const viewerId = viewerOf(c)?.id ?? null
  const found = await deps.store.repositories.search({ text, viewerId, limit: LISTED })
  if (found.length === 0)
    return html`<p class="quiet">
      No results for "${text}". <a href="/search?q=${encodeURIComponent(text)}&in=files">Search in files</a>
    </p>`
  return html`${repositoryTable(await findListedPapers(deps, found), { isOwnerShown: true })}
  ${found.length === LISTED ? html`<p class="quiet">The ${LISTED} newest results. Refine the search to find others.</p>` : ''}`
}

async function foundText(c: Context, deps: Deps, text: string): Promise<Html> {
  if (text.length < MIN_TEXT_LENGTH) return html`<p class="quiet">Enter at least 3 characters.</p>`
  const viewerId = viewerOf(c)?.id ?? null
  const repositories = await deps.store.repositories.search({ text: '', viewerId, limit: SEARCHED })
  const searched = await Promise.all(
    repositories.map((repository) => {
      const fallback = { repository, lines: [], isWhole: false }
      return unlessDamaged(() => searchHead(deps, repository, text), { log: deps.log, repository, fallback })
    }),
  )
  return html`${textResults(searched, text)}
  ${repositories.length === SEARCHED ? html`<p class="quiet">Searched the ${SEARCHED} most recently changed repositories. Search others on their own pages.</p>` : ''}`
}

/** An empty repository contains nothing. */
async function searchHead(deps: Deps, repository: Repository, text: string): Promise<RepositoryText> {
  const head = await deps.git.findBranch(repository.id, repository.defaultBranch)
  if (head === null) return { repository, lines: [], isWhole: true }
  return { repository, ...(await findText(deps, repository, { commitId: head.commitId, text })) }
}
