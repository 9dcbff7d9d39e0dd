/** `/{owner}/{repo}/settings/transfer`: the owner offers the repository to another user, or withdraws the offer. */
import type { Context } from 'hono'
import { html } from 'hono/html'

import { repositoryPath } from '../../domain/page-urls.ts'
import { writeTransferEmail } from '../../mail/account-emails.ts'
import type { Deps } from '../../operations/deps.ts'
import { endTransfer, offerTransfer, transferDays } from '../../operations/repository/transfer-repository.ts'
import type { TransferOffer } from '../../store/repositories/repository-transfers.ts'
import { NotFound } from '../session/errors.ts'
import { formToken, readField } from '../session/form.ts'
import { retryAfter } from '../session/retry-after.ts'
import { sendPage } from '../shell/page.ts'
import { repositoryHeader } from '../shell/repository/repository-header.ts'
import { requireAdministered, type ActorOnRepository } from '../shell/repository/require-permission.ts'
import { backLink } from '../ui/back-link.ts'
import { formField } from '../ui/form/form-field.ts'
import { formProblems, noProblems, toFormProblems, type FormProblems } from '../ui/form/form-problems.ts'
import { timeUntil } from '../ui/format/time-until.ts'
import type { Html } from '../ui/html.ts'

/** The page. */
export async function showTransfer(c: Context, deps: Deps): Promise<Response> {
  return sendTransfer(c, deps, { ...(await requireOwner(c, deps)), login: '', problems: noProblems, status: 200 })
}

/** Offers the repository to the user of the form; without one, withdraws the offer. */
export async function postTransfer(c: Context, deps: Deps): Promise<Response> {
  const change = await requireOwner(c, deps)
  const { repository, actor } = change
  const { config, mail, store } = deps
  const back = `${repositoryPath(repository)}/settings/transfer`
  if (readField(c, 'withdraw') !== '') {
    await endTransfer(store, change)
    return c.redirect(back, 303)
  }
  const login = readField(c, 'login').trim()
  const outcome = await offerTransfer(store, change, login)
  if (outcome.kind === 'throttled') {
    const problems = { form: retryAfter(c, outcome.waitMs) }
    return sendTransfer(c, deps, { ...change, login, problems, status: 429 })
  }
  if (outcome.kind === 'not-found') {
    const problem =
      login.toLowerCase() === actor.login.toLowerCase()
        ? 'You already own this repository.'
        : `User "${login}" not found.`
    return sendTransfer(c, deps, { ...change, login, problems: { login: problem }, status: 422 })
  }
  const { to } = outcome
  if (to.email !== null) {
    const name = `${repository.owner.login}/${repository.name}`
    const link = `${config.baseUrl}/settings/transfers/${repository.id}`
    mail.send(writeTransferEmail({ to: to.email, from: actor.login, host: config.name, repository: name, link }))
  }
  return c.redirect(back, 303)
}

/** @throws NotFound for everyone but the owner. */
async function requireOwner(c: Context, deps: Deps): Promise<ActorOnRepository> {
  const found = await requireAdministered(c, deps)
  if (found.actor.id !== found.repository.owner.id) throw new NotFound('Only the owner can transfer a repository.')
  return found
}

interface TransferForm extends ActorOnRepository {
  readonly login: string
  readonly problems: FormProblems
  readonly status: 200 | 422 | 429
}

async function sendTransfer(
  c: Context,
  { store }: Deps,
  { repository, login, problems, status }: TransferForm,
): Promise<Response> {
  const offer = await store.repositoryTransfers.find(repository.id)
  const name = `${repository.owner.login}/${repository.name}`
  // In another tab, the transfer was requested: the form then has no field for a username.
  const listed = offer === null ? problems : toFormProblems(problems)
  const main = html`${repositoryHeader(c, repository, 'settings')}
    ${backLink({ href: `${repositoryPath(repository)}/settings`, label: 'Settings' })}
    <section class="settings-form">
      <h1>Transfer ${name}</h1>
      <form method="post" action="${repositoryPath(repository)}/settings/transfer">
        ${formProblems(listed)} ${formToken(c)} ${offer === null ? offerFields(login, problems) : openOffer(offer)}
      </form>
    </section>`
  c.header('cache-control', 'no-store')
  return sendPage(c, { title: `Transfer · ${name}`, main, status })
}

function offerFields(login: string, problems: FormProblems): Html {
  return html`<p>
      The new owner has ${transferDays} days to accept. You keep read and write access, and the old address redirects to
      the new one.
    </p>
    ${formField({ name: 'login', label: 'Username of the new owner', autocomplete: 'off', value: login, problems })}
    <p><button class="button">Request transfer</button></p>`
}

function openOffer({ to, expiresAt }: TransferOffer): Html {
  return html`<p>
      Waiting for <a href="/${to.login}">${to.login}</a> to accept. The request expires ${timeUntil(expiresAt)}.
    </p>
    <p><button class="button" name="withdraw" value="yes">Cancel transfer</button></p>`
}
