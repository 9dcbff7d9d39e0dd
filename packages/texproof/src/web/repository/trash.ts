/** `/settings/trash`: the viewer's deleted repositories, to restore or delete permanently. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { parseId } from '../../domain/parse-id.ts'
import type { Deps } from '../../operations/deps.ts'
import { removeFromTrash, restoreRepository, trashedForMs } from '../../operations/repository/delete-repository.ts'
import type { RestoreOutcome } from '../../operations/repository/delete-repository.ts'
import type { TrashedRepository } from '../../store/repositories/repository-trash.ts'
import { backLink } from '../ui/back-link.ts'
import { formProblems, noProblems } from '../ui/form/form-problems.ts'
import type { Html } from '../ui/html.ts'
import { sendPage } from '../shell/page.ts'
import { timeAgo } from '../ui/format/time-ago.ts'
import { timeUntil } from '../ui/format/time-until.ts'
import { reauthenticate } from '../shell/reauthenticate.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { redirectWithNotice } from '../session/notice.ts'

/** The page. */
export async function showTrash(c: Context, deps: Deps): Promise<Response> {
  return sendTrash(c, deps, null)
}

/** `POST` of the same: `restore` or `remove` contains the id of the repository. */
export async function postTrash(c: Context, deps: Deps): Promise<Response> {
  const { user: owner } = requireViewer(c)
  const removed = readField(c, 'remove')
  if (removed !== '') {
    const question = await reauthenticate(c, deps)
    if (question !== null) return question
    const isRemoved = await removeFromTrash(deps, { owner, id: toId(removed) })
    return isRemoved
      ? redirectWithNotice(c, '/settings/trash', 'repository-removed')
      : sendTrash(c, deps, 'This repository has already been deleted.')
  }
  const id = toId(readField(c, 'restore'))
  const trashed = await deps.store.repositories.findTrashed(owner.id, id)
  const outcome = trashed === null ? 'gone' : await restoreRepository(deps, { owner, id })
  if (outcome === 'restored')
    return redirectWithNotice(c, `/${owner.login}/${trashed?.name ?? ''}`, 'repository-restored')
  return sendTrash(c, deps, explainRefusal(outcome, trashed?.name ?? ''))
}

function explainRefusal(outcome: Exclude<RestoreOutcome, 'restored'>, name: string): string {
  switch (outcome) {
    case 'gone':
      return 'This repository can no longer be restored: deleted repositories are kept for 7 days.'
    case 'name-taken':
      return `You now have another repository ${name}. Rename it, then restore this one.`
    case 'over-quota':
      return 'Your repository quota is used up. Delete another repository, then restore this one.'
  }
}

/** No repository has the id 0. */
function toId(text: string): number {
  return parseId(text) ?? 0
}

async function sendTrash(c: Context, { store }: Deps, problem: string | null): Promise<Response> {
  const { user } = requireViewer(c)
  const trashed = await store.repositories.listTrashed(user.id)
  const main = html`${backLink({ href: `/${user.login}`, label: user.login })}
    <section class="trash">
      <h1>Trash</h1>
      ${formProblems(problem === null ? noProblems : { form: problem })}
      <p>Deleted repositories can be restored for 7 days, with all their contents.</p>
      ${trashed.length === 0 ? html`<p class="quiet">The trash is empty.</p>` : trashList(c, trashed)}
    </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: 'Trash', main, status: problem === null ? 200 : 422 })
}

function trashList(c: Context, trashed: readonly TrashedRepository[]): Html {
  return html`<ul class="lines">
    ${trashed.map(
      ({ id, name, description, trashedAt }) =>
        html`<li>
          <form method="post" action="/settings/trash">
            ${formToken(c)}
            <span class="trashed">${name}</span>
            <span class="quiet">${description ?? ''}</span>
            <span class="quiet">deleted ${timeAgo(trashedAt)}, removed ${timeUntil(trashedAt + trashedForMs)}</span>
            <button class="plain-button" name="restore" value="${id}" aria-label="Restore ${name}">Restore</button>
            <button class="plain-button" name="remove" value="${id}" aria-label="Delete permanently: ${name}">
              Delete permanently
            </button>
          </form>
        </li>`,
    )}
  </ul>`
}
