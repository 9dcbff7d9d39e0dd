import type { Context } from 'hono'
import { html } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Ref } from '../../git/types.ts'
import { archivePath, encodePath, repositoryPath } from '../../domain/page-urls.ts'
import type { Html } from '../ui/html.ts'
import { icon } from '../ui/icon.ts'
import { pageLinks, readPage } from '../ui/page-links.ts'
import { sendPage } from '../shell/page.ts'
import { paperCell } from './paper-cell.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { orderTags } from '../shell/repository/order-refs.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { findRefPaper } from '../shell/repository/find-ref-paper.ts'
import { hasPapers } from '../shell/repository/has-documents.ts'
import { commitSubject } from '../content/commit-subject.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import type { ViewedRepository } from '../shell/repository/find-viewed-repository.ts'

const PER_PAGE = 30

/** `/{owner}/{repo}/tags`: every tag with its message and its PDF, in the order of `orderTags`. */
export async function showTags(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const page = readPage(c.req.query('page'))
  const tags = orderTags(await deps.git.listTags(repository.id))
  const first = (page - 1) * PER_PAGE
  const isPaper = await hasPapers(deps, { repository, commitId: tags[0]?.commitId ?? null })
  const rows = await Promise.all(
    tags.slice(first, first + PER_PAGE).map((tag, at) => {
      return tagRow(tag, { repository, deps, isPaper, older: tags[first + at + 1] ?? null })
    }),
  )
  const path = `${repositoryPath(repository)}/tags`
  const hasBranch = (await deps.git.findBranch(repository.id, repository.defaultBranch)) !== null
  const main = html`${repositoryHeader(c, repository, 'tags')}
    <div class="bar">
      <h1>Tags</h1>
      ${mayWrite(c, repository) && hasBranch ? html`<p class="actions"><a class="button" href="${path}/new">${icon('plus')} New tag</a></p>` : ''}
    </div>
    ${tags.length === 0 ? noTags() : tagTable(rows)}
    ${pageLinks({ page, perPage: PER_PAGE, total: tags.length, href: (n) => `${path}?page=${n}` })}`
  return sendPage(c, { title: `Tags of ${repository.owner.login}/${repository.name}`, main })
}

function noTags(): Html {
  return html`<section class="empty">
    <h2>No tags yet</h2>
    <p>Tag the versions you submit or share. The PDF of a tag is kept permanently:</p>
    <pre class="type-this" tabindex="0"><code>git tag -m "As submitted" v1-submitted
git push --tags</code></pre>
  </section>`
}

function tagTable(rows: readonly Html[]): Html {
  return html`<table class="refs">
    <thead>
      <tr>
        <th scope="col">Tag</th>
        <th scope="col">Message</th>
        <th scope="col">Date</th>
        <th scope="col">PDF</th>
        <th scope="col"><span class="visually-hidden">Actions</span></th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`
}

interface TagContext {
  readonly repository: ViewedRepository
  readonly deps: Deps
  readonly isPaper: boolean
  /** The previous version; null for the oldest. */
  readonly older: Ref | null
}

async function tagRow(tag: Ref, { repository, deps, isPaper, older }: TagContext): Promise<Html> {
  const { name, commitId } = tag
  const path = repositoryPath(repository)
  const [commit, note, paper] = await Promise.all([
    deps.git.findCommit(repository.id, commitId),
    deps.git.findTagNote(repository.id, name),
    findRefPaper(deps, repository.id, { ref: { kind: 'tag', ...tag }, document: null }),
  ])
  const at = note?.tagger?.at ?? commit?.committer.at ?? null
  const message = note?.message ?? commit?.message ?? ''
  return html`<tr>
    <th scope="row"><a href="${path}/tree/${encodePath(name)}">${name}</a></th>
    <td>
      <p class="commit">
        <a href="${path}/commit/${commitId}"><code>${commitId.slice(0, 7)}</code></a>
        <span class="${note === null ? 'subject' : 'subject own-words'}">${commitSubject(message)}</span>
      </p>
    </td>
    <td class="quiet">${at === null ? '' : timeAgo(at)}</td>
    <td>${isPaper ? paperCell(paper, repository, name) : ''}</td>
    <td class="row-actions">
      <a href="${archivePath(repository, name, 'zip')}" download aria-label="ZIP of ${name}">ZIP</a>
      ${older === null ? '' : html`<a href="${path}/compare/${encodePath(older.name)}...${encodePath(name)}" aria-label="Changes from ${older.name} to ${name}">Changes</a>`}
    </td>
  </tr>`
}
