/** The transfer of a repository: its owner offers it to a user, who becomes the owner by accepting. */
import { throttleEmail } from '../../accounts/email/throttle-email.ts'
import { findQuotas } from '../../accounts/users/find-quotas.ts'
import type { Config } from '../../config/read-config.ts'
import type { Repository, User } from '../../domain/types.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import type { Store } from '../../store/store.ts'
import type { RepositoryChangeBy } from './change-repository.ts'

const DAY_MS = 86_400_000
/** Days until an offer expires. */
export const transferDays = 14

/** The outcome; `not-found` = there is no such user, or it is the owner. */
export type OfferTransferOutcome =
  | { readonly kind: 'offered'; readonly to: User }
  | { readonly kind: 'not-found' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** Offers a repository to a user, unless the owner or that user had too many emails. */
export async function offerTransfer(
  store: Store,
  { repository, actor }: RepositoryChangeBy,
  login: string,
): Promise<OfferTransferOutcome> {
  const to = await store.users.findByLogin(login)
  if (to === null || to.isDisabled || to.id === repository.owner.id) return { kind: 'not-found' }
  const waitMs = to.email === null ? 0 : await throttleEmail(store, { actorId: actor.id, to: to.email })
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  await store.repositoryTransfers.offer(repository.id, to, { expiresAt: Date.now() + transferDays * DAY_MS })
  await record(store, 'transfer-offered', { repository, actor, to })
  return { kind: 'offered', to }
}

/** Ends an offer: the owner withdraws it, or the recipient declines. False if there is none. */
export async function endTransfer(store: Store, { repository, actor }: RepositoryChangeBy): Promise<boolean> {
  const offer = await store.repositoryTransfers.find(repository.id)
  if (offer === null || !(await store.repositoryTransfers.remove(repository.id))) return false
  const kind = actor.id === offer.to.id ? 'transfer-declined' : 'transfer-withdrawn'
  await record(store, kind, { repository, actor, to: offer.to })
  return true
}

/** The repository that is offered to a user; null if none is. */
export async function findOfferedRepository(store: Store, user: User, id: number): Promise<Repository | null> {
  const repository = await store.repositories.findById(id)
  if (repository === null || repository.isDisabled) return null
  const offer = await store.repositoryTransfers.find(id)
  return offer?.to.id === user.id ? repository : null
}

/** The repositories that are offered to a user. */
export async function listOfferedRepositories(store: Store, user: User): Promise<readonly Repository[]> {
  const ids = await store.repositoryTransfers.listOfUser(user.id)
  const found = await Promise.all(ids.map((id) => store.repositories.findById(id)))
  return found.flatMap((repository) => (repository === null || repository.isDisabled ? [] : [repository]))
}

/** The outcome; `gone` = the offer or the repository no longer exists. */
export type AcceptTransferOutcome =
  | { readonly kind: 'accepted' | 'gone' | 'name-taken' }
  | { readonly kind: 'over-quota'; readonly limit: number }
  | { readonly kind: 'over-storage'; readonly limitBytes: number }

/** Makes a user the owner of the repository offered to them. The former owner keeps read and write access. */
export async function acceptTransfer(
  { store, config }: { readonly store: Store; readonly config: Pick<Config, 'quotas'> },
  { repository, actor }: RepositoryChangeBy,
): Promise<AcceptTransferOutcome> {
  const quotas = await findQuotas({ config, store }, actor.id)
  try {
    const kind = await store.repositoryTransfers.accept(repository, actor, quotas)
    if (kind === 'over-quota') return { kind, limit: quotas.repositories }
    if (kind === 'over-storage') return { kind, limitBytes: quotas.storageBytes }
    if (kind === 'gone') return { kind }
  } catch (error) {
    if (error instanceof UniqueViolation) return { kind: 'name-taken' }
    throw error
  }
  await record(store, 'repository-transferred', { repository, actor, to: actor })
  return { kind: 'accepted' }
}

async function record(
  store: Store,
  kind: string,
  { repository, actor, to }: RepositoryChangeBy & { readonly to: User },
): Promise<void> {
  const detail = `${repository.owner.login}/${repository.name} to ${to.login}`
  for (const userId of [repository.owner.id, to.id]) await store.events.add({ kind, userId, actorId: actor.id, detail })
}
