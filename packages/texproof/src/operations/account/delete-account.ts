/**
 * Deletes an account. It must not own a repository: co-authors may depend on one, so its owner first transfers or deletes
 * each of them. Those in the trash are deleted permanently with the account. Commits stay, with the name and email in
 * them. The event log keeps its entries, without the name of the account.
 */
import { removeAvatar } from '../../accounts/avatar/change-avatar.ts'
import type { Config } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import { writeAccountDeletedEmail } from '../../mail/account-emails.ts'
import type { Mail } from '../../mail/open-mail.ts'
import type { Papers } from '../../papers/types.ts'
import type { RemoveUserOutcome } from '../../store/users/users.ts'
import type { Deps } from '../deps.ts'
import { removeFromTrash } from '../repository/delete-repository.ts'

/** Why an account was not deleted. */
export type DeleteAccountRefusal = Exclude<RemoveUserOutcome, 'removed'>

type DeleteDeps = Pick<Deps, 'git' | 'store'> & {
  readonly config: Pick<Config, 'name'>
  readonly mail: Pick<Mail, 'isConfigured' | 'send'>
  readonly papers: Pick<Papers, 'removeBuildFiles'>
}

/**
 * Returns the reason of a refusal, or null on success. `actor` is the user, an administrator, or null on the command line.
 */
export async function deleteAccount(
  deps: DeleteDeps,
  { user, actor }: { readonly user: User; readonly actor: User | null },
): Promise<DeleteAccountRefusal | null> {
  const { config, mail, store } = deps
  const refusal = await findRefusal(deps, user)
  if (refusal !== null) return refusal
  await emptyTrashOf(deps, user)
  await removeAvatar(store, user)
  const outcome = await store.users.remove(user.id)
  if (outcome !== 'removed') return outcome
  const { login, email } = user
  const isOwn = actor?.id === user.id
  await store.events.add({
    kind: 'account-deleted',
    userId: null,
    actorId: isOwn || actor === null ? null : actor.id,
    detail: login,
  })
  if (mail.isConfigured && email !== null)
    mail.send(writeAccountDeletedEmail({ to: email, login, host: config.name, isOwn }))
  return null
}

/** Checked before anything is removed. `Users.remove` checks it again, for changes in between. */
async function findRefusal({ store }: DeleteDeps, user: User): Promise<DeleteAccountRefusal | null> {
  const { repositoryCount } = await store.quotas.measureOwned(user.id)
  if (repositoryCount > 0) return 'owns-repositories'
  return (await store.users.isLastAdministrator(user.id)) ? 'last-administrator' : null
}

/** The trash is listed in parts. */
async function emptyTrashOf(deps: DeleteDeps, owner: User): Promise<void> {
  for (;;) {
    const trashed = await deps.store.repositories.listTrashed(owner.id)
    if (trashed.length === 0) return
    for (const { id } of trashed) await removeFromTrash(deps, { owner, id })
  }
}
