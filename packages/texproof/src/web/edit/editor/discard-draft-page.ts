/** Confirms that a draft is discarded which other users have written. */
import { posix } from 'node:path'

import type { Context } from 'hono'
import { html } from 'hono/html'

import { encodePath, repositoryPath } from '../../../domain/page-urls.ts'
import type { User } from '../../../domain/types.ts'
import { formToken } from '../../session/form.ts'
import { sendPage } from '../../shell/page.ts'
import { repositoryHeader } from '../../shell/repository/repository-header.ts'
import { breadcrumb } from '../../ui/breadcrumb.ts'
import type { EditLocation } from '../find-edit-location.ts'

/** The page with the names of the others. */
export function sendDiscardDraftPage(
  c: Context,
  { repository, branch, path }: EditLocation,
  others: readonly User[],
): Promise<Response> {
  const address = `${encodePath(branch)}/${encodePath(path)}`
  const names = new Intl.ListFormat('en').format(others.map(({ login, name }) => name ?? login))
  const main = html`${repositoryHeader(c, repository, 'files', branch)}
    <div class="bar">${breadcrumb({ repository, ref: { name: branch }, path, isHeading: false })}</div>
    <section class="edit" aria-labelledby="discard-title">
      <h1 id="discard-title">Discard the draft of ${posix.basename(path)}?</h1>
      <p>This draft also contains changes by ${names}. Discarding it deletes them for everyone.</p>
      <form method="post" action="${repositoryPath(repository)}/draft/${address}">
        ${formToken(c)}
        <input type="hidden" name="branch" value="${branch}" />
        <input type="hidden" name="confirmed" value="${others.map(({ id }) => id).join(' ')}" />
        <p class="actions">
          <button class="button" name="act" value="discard">Discard draft</button>
          <a href="${repositoryPath(repository)}/edit/${address}">Cancel</a>
        </p>
      </form>
    </section>`
  return sendPage(c, { title: `Discard the draft of ${path} · ${repository.owner.login}/${repository.name}`, main })
}
