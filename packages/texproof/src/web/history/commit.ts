import type { Context } from 'hono'
import { html, raw } from 'hono/html'

import type { Deps } from '../../operations/deps.ts'
import type { Repository } from '../../domain/types.ts'
import type { Commit } from '../../git/types.ts'
import { pdfPath, repositoryPath, restorePath } from '../../domain/page-urls.ts'
import { changeNotShown, changeView, readChangeStyle } from './change-view.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { moreMenu } from '../ui/more-menu.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { escapeText } from '../content/escape-html.ts'
import { commitSubject, messageBody } from '../content/commit-subject.ts'
import { findChange, findChangeProblems } from './find-change.ts'
import { mayWrite } from '../shell/repository/require-permission.ts'
import { findCommit } from '../shell/repository/resolve-ref.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { NotFound } from '../session/errors.ts'

/** Characters of a message shown unfolded above the change. */
const MAX_OPEN_LENGTH = 2_000

/** `/{owner}/{repo}/commit/{id}`: one commit and its changes against its first parent. */
export async function showCommit(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const commit = await findCommit(deps.git, repository.id, c.req.param('commitId') ?? '')
  if (commit === null) throw new NotFound('Commit not found.')
  const subject = /^\n|^$/.test(commit.message) ? 'Commit without a message' : commitSubject(commit.message)
  const body = messageBody(commit.message)
  const main = html`${repositoryHeader(c, repository, 'commits')}
    <h1>${subject}</h1>
    ${messageOf(body)} ${facts(commit, repository, mayWrite(c, repository))}
    ${await changeOf(c, deps, { repository, commit })}`
  return sendPage(c, { title: `${subject} · ${repository.owner.login}/${repository.name}`, main, isWide: true })
}

/** A long message is folded, so that the change stays visible. */
function messageOf(body: string): Html | '' {
  if (body === '') return ''
  // A megabyte of quotes takes the template 100 ms.
  const text = html`<p class="message">${raw(escapeText(body))}</p>`
  if (body.length <= MAX_OPEN_LENGTH) return text
  return html`<details class="whole-message">
    <summary>Full message</summary>
    ${text}
  </details>`
}

async function changeOf(
  c: Context,
  deps: Deps,
  { repository, commit }: { readonly repository: Repository; readonly commit: Commit },
): Promise<Html> {
  const range = { fromCommitId: commit.parentIds[0] ?? null, toCommitId: commit.commitId }
  const style = readChangeStyle(c.req.query())
  const [change, problems] = await Promise.all([
    findChange(deps, repository, { ...range, style }),
    findChangeProblems(deps, repository, commit.commitId),
  ])
  if (change.kind !== 'rendered') return changeNotShown(change.kind)
  const path = `${repositoryPath(repository)}/commit/${commit.commitId}`
  return changeView({ repository, ...range, rendered: change.rendered, problems, style, path })
}

function facts({ commitId, author, committer, parentIds }: Commit, repository: Repository, isWritable: boolean): Html {
  const path = repositoryPath(repository)
  return html`<div class="bar">
    <code class="hash">${commitId}</code>
    <span>${author.name} ${timeAgo(committer.at)}</span>
    ${parentIds.map(
      (id) =>
        html`<span class="quiet"
          >parent <a href="${path}/commit/${id}"><code>${id.slice(0, 7)}</code></a></span
        >`,
    )}
    <span class="actions">
      <a href="${path}/tree/${commitId}">Files</a>
      <a href="${pdfPath(repository, commitId, null)}">PDF at this commit</a>
    </span>
    ${isWritable ? moreMenu([parentIds.length === 0 ? '' : html`<a href="${path}/revert/${commitId}">Revert</a>`, html`<a href="${restorePath(repository, commitId, '')}">Restore this version</a>`]) : ''}
  </div>`
}
