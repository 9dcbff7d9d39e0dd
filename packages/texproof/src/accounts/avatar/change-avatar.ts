import { hash } from 'node:crypto'

import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { avatarContentType, makeAvatar } from './make-avatar.ts'
import type { AvatarRefusal } from './make-avatar.ts'

/**
 * Sets the avatar of a user; its id is the hash of its content. Returns the reason of a refusal, or null on success.
 */
export async function setAvatar(
  store: Store,
  user: User,
  picture: Uint8Array<ArrayBuffer>,
): Promise<AvatarRefusal | null> {
  const outcome = await makeAvatar(picture)
  if (outcome.kind === 'refused') return outcome.reason
  const id = hash('sha256', outcome.bytes, 'hex')
  await store.avatars.setOfUser(user.id, { id, contentType: avatarContentType, bytes: outcome.bytes })
  return null
}

/** Removes a user's avatar: pages show initials, the API returns null. */
export async function removeAvatar(store: Store, user: User): Promise<void> {
  await store.avatars.setOfUser(user.id, null)
}
