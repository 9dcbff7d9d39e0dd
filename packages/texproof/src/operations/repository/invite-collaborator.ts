/** Invitations to a repository: a link that works once and makes the person who accepts it a collaborator. */
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { RepositoryInvitation } from '../../store/repositories/repository-invitations.ts'
import type { Store } from '../../store/store.ts'
import type { RepositoryChangeBy } from './change-repository.ts'

const DAY_MS = 86_400_000
/** Days until an invitation expires. */
export const invitationDays = 14
const MAX_OPEN = 50

/** Creates an invitation and returns its text; null if the repository has too many. */
export async function inviteCollaborator(
  store: Store,
  { repository, actor }: RepositoryChangeBy,
  { email, permission }: Pick<RepositoryInvitation, 'email' | 'permission'>,
): Promise<string | null> {
  if ((await store.repositoryInvitations.listOfRepository(repository.id)).length >= MAX_OPEN) return null
  const text = makeSecretText()
  await store.repositoryInvitations.add({
    repositoryId: repository.id,
    createdBy: actor.id,
    hash: hashSecretText(text),
    email,
    permission,
    expiresAt: Date.now() + invitationDays * DAY_MS,
  })
  await record(store, 'collaborator-invited', { repository, actorId: actor.id, about: email ?? 'by link' })
  return text
}

/** An invitation that can be accepted. */
export interface OpenInvitation {
  readonly invitation: RepositoryInvitation
  readonly repository: Repository
  readonly inviter: User
}

/** The invitation of a link; null if it expired, was used or revoked, or its creator no longer manages the repository. */
export async function findInvitation(store: Store, text: string): Promise<OpenInvitation | null> {
  const invitation = await store.repositoryInvitations.findByHash(hashSecretText(text))
  if (invitation === null) return null
  const [repository, inviter] = await Promise.all([
    store.repositories.findById(invitation.repositoryId),
    store.users.findById(invitation.createdBy),
  ])
  if (repository === null || repository.isDisabled || inviter === null || inviter.isDisabled) return null
  const isOwner = repository.owner.id === inviter.id
  if (!isOwner && (await store.repositories.findCollaboration(repository.id, inviter.id)) !== 'admin') return null
  return { invitation, repository, inviter }
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
  if (current === null || (current === 'pull' && invitation.permission === 'push'))
    await store.repositories.setCollaborator(repository.id, user.id, invitation.permission)
  await record(store, 'collaborator-added', { repository, actorId: user.id, about: user.login })
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
