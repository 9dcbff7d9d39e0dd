import { hash } from 'node:crypto'

import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { avatarContentType, makeAvatar } from './make-avatar.ts'
import type { AvatarRefusal } from './make-avatar.ts'

/** Makes a picture the avatar of a user; its id is the hash of its content. Gives why not, or null when it is done. */
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

/** Takes a user's avatar away: pages show initials, the API says null. */
export async function removeAvatar(store: Store, user: User): Promise<void> {
  await store.avatars.setOfUser(user.id, null)
}
