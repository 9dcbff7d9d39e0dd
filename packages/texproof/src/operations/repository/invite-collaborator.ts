/** Invitations to a repository: a link that works once and makes the person who accepts it a collaborator. */
import { throttleEmail } from '../../accounts/email/throttle-email.ts'
import type { OpenInvitation } from '../../accounts/join/find-repository-invitation.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import { accessNames } from '../../domain/access.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { RepositoryInvitation } from '../../store/repositories/repository-invitations.ts'
import type { Store } from '../../store/store.ts'
import type { RepositoryChangeBy } from './change-repository.ts'

const DAY_MS = 86_400_000
/** Days until an invitation expires. */
export const invitationDays = 14
const MAX_OPEN = 50

/** Terms of an invitation. */
interface InvitationTerms extends Pick<RepositoryInvitation, 'email' | 'permission'> {
  /** Whether its link also creates an account with the address that it was sent to; then only the email may contain it. */
  readonly createsAccount?: boolean
}

/** The outcome; `text` is the secret part of the link. */
export type InviteOutcome =
  | { readonly kind: 'invited'; readonly text: string }
  | { readonly kind: 'too-many' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

/** Creates an invitation, unless the repository has too many or the user or the address had too many emails. */
export async function inviteCollaborator(
  store: Store,
  { repository, actor }: RepositoryChangeBy,
  { email, permission, createsAccount = false }: InvitationTerms,
): Promise<InviteOutcome> {
  if ((await store.repositoryInvitations.listOfRepository(repository.id)).length >= MAX_OPEN)
    return { kind: 'too-many' }
  const waitMs = email === null ? 0 : await throttleEmail(store, { actorId: actor.id, to: email })
  if (waitMs > 0) return { kind: 'throttled', waitMs }
  const text = makeSecretText()
  const common = {
    createdBy: actor.id,
    hash: hashSecretText(text),
    email,
    expiresAt: Date.now() + invitationDays * DAY_MS,
  }
  await store.repositoryInvitations.add({ ...common, repositoryId: repository.id, permission })
  if (createsAccount) await store.codes.add({ ...common, purpose: 'coauthor', userId: null })
  await record(store, 'collaborator-invited', { repository, actorId: actor.id, about: email ?? 'by link' })
  return { kind: 'invited', text }
}

/** Uses an invitation; false if it was used or revoked meanwhile. A permission that the user has is never lowered. */
export async function acceptInvitation(
  store: Store,
  { invitation, repository }: OpenInvitation,
  user: User,
): Promise<boolean> {
  if (!(await store.repositoryInvitations.remove(repository.id, invitation.id))) return false
  if (user.id === repository.owner.id) return true
  const current = await store.repositories.findCollaboration(repository.id, user.id)
  const isMore = current === null || (current === 'pull' && invitation.permission === 'push')
  if (isMore) await store.repositories.setCollaborator(repository.id, user.id, invitation.permission)
  const access = accessNames[isMore ? invitation.permission : current]
  await record(store, 'collaborator-added', { repository, actorId: user.id, about: `${user.login} (${access})` })
  return true
}

/** Ends a collaboration on the request of the collaborator; false for everyone else. */
export async function leaveRepository(store: Store, { repository, actor }: RepositoryChangeBy): Promise<boolean> {
  if ((await store.repositories.findCollaboration(repository.id, actor.id)) === null) return false
  await store.repositories.removeCollaborator(repository.id, actor.id)
  await record(store, 'collaborator-removed', { repository, actorId: actor.id, about: actor.login })
  return true
}

async function record(
  store: Store,
  kind: string,
  { repository, actorId, about }: { readonly repository: Repository; readonly actorId: string; readonly about: string },
): Promise<void> {
  const detail = `${about} on ${repository.owner.login}/${repository.name}`
  await store.events.add({ kind, userId: repository.owner.id, actorId, detail })
}
