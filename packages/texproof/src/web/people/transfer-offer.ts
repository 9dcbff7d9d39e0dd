/** `/settings/transfers/{id}`: accept or decline to become the owner of a repository. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath } from '../../domain/page-urls.ts'
import { parseId } from '../../domain/parse-id.ts'
import type { Repository, User } from '../../domain/types.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import type { Deps } from '../../operations/deps.ts'
import {
  acceptTransfer,
  endTransfer,
  findOfferedRepository,
  type AcceptTransferOutcome,
} from '../../operations/repository/transfer-repository.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { requireViewer } from '../session/viewer.ts'
import { sendPage } from '../shell/page.ts'
import { formProblems, isRefused, noProblems, type FormProblems } from '../ui/form/form-problems.ts'

const GONE = 'This transfer has expired, or was cancelled or declined.'

/** The page. */
export async function showTransferOffer(c: Context, deps: Deps): Promise<Response> {
  const own = await findOwn(c, deps)
  if (own !== null) return c.redirect(repositoryPath(own), 303)
  return sendOffer(c, await requireOffered(c, deps), noProblems)
}

/** Accepts or declines the offer. */
export async function postTransferAnswer(c: Context, deps: Deps): Promise<Response> {
  const own = await findOwn(c, deps)
  if (own !== null) return c.redirect(repositoryPath(own), 303)
  const { repository, user } = await requireOffered(c, deps)
  const change = { repository, actor: user }
  if (readField(c, 'answer') !== 'accept') {
    await endTransfer(deps.store, change)
    return c.redirect('/', 303)
  }
  const outcome = await acceptTransfer(deps, change)
  if (outcome.kind === 'gone') throw new NotFound(GONE)
  if (outcome.kind === 'accepted') return c.redirect(`/${user.login}/${repository.name}`, 303)
  return sendOffer(c, { repository, user }, { form: explain(outcome, { repository, user }) })
}

/** The repository of the viewer, if it is not offered: the offer was accepted before, and its link or form is used again. */
async function findOwn(c: Context, { store }: Deps): Promise<Repository | null> {
  const { user } = requireViewer(c)
  const id = parseId(c.req.param('id'))
  const repository = id === null ? null : await store.repositories.findById(id)
  if (repository?.owner.id !== user.id) return null
  return (await store.repositoryTransfers.find(repository.id)) === null ? repository : null
}

interface Offered {
  readonly repository: Repository
  readonly user: User
}

async function requireOffered(c: Context, { store }: Deps): Promise<Offered> {
  const { user } = requireViewer(c)
  const id = parseId(c.req.param('id'))
  const repository = id === null ? null : await findOfferedRepository(store, user, id)
  if (repository === null) throw new NotFound(GONE)
  return { repository, user }
}

function explain(outcome: AcceptTransferOutcome, { repository, user }: Offered): string {
  if (outcome.kind === 'over-quota')
    return `You have reached the limit of ${outcome.limit} repositories. Delete one first, or ask an administrator for more.`
  if (outcome.kind === 'over-storage')
    return `With this repository, you would exceed your storage quota of ${formatBytes(outcome.limitBytes)}. Permanently delete repositories first, or ask an administrator for more.`
  return `${user.login}/${repository.name} already exists. Rename one of the two repositories first.`
}

async function sendOffer(c: Context, { repository, user }: Offered, problems: FormProblems): Promise<Response> {
  const { owner, name } = repository
  const main = html`<section class="settings-form">
    <h1>Transfer of ${owner.login}/${name}</h1>
    ${formProblems(problems)}
    <p>
      ${owner.login} wants to transfer this repository to you. If you accept, its address changes to
      ${user.login}/${name}. ${owner.login} keeps read and write access.
    </p>
    <form method="post" action="/settings/transfers/${repository.id}">
      ${formToken(c)}
      <p class="actions">
        <button class="button" name="answer" value="accept">Accept</button>
        <button class="drawn-button" name="answer" value="decline">Decline</button>
      </p>
    </form>
  </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Transfer of ${owner.login}/${name}`, main, status: isRefused(problems) ? 409 : 200 })
}
