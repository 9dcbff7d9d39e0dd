import { hashSecretText } from '../../base/secret-text.ts'
import type { Repository, User } from '../../domain/types.ts'
import type { RepositoryInvitation } from '../../store/repositories/repository-invitations.ts'
import type { Store } from '../../store/store.ts'

/** An invitation that can be accepted. */
export interface OpenInvitation {
  readonly invitation: RepositoryInvitation
  readonly repository: Repository
  readonly inviter: User
}

/** The invitation of a link; null if it expired, was used or revoked, or its creator no longer manages the repository. */
export async function findRepositoryInvitation(store: Store, text: string): Promise<OpenInvitation | null> {
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
