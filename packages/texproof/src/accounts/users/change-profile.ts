import { oneLine, plainLines } from '../../domain/text/one-line.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'

/** Why a profile was not changed. */
export type ChangeProfileRefusal = 'long-name' | 'long-bio'

const maxNameLength = 100
const maxBioLength = 500

/** Changes the profile of a user; empty text removes a line. Returns the reason of a refusal, or null on success. */
export async function changeProfile(
  store: Store,
  user: User,
  wanted: { readonly name: string; readonly bio: string },
): Promise<ChangeProfileRefusal | null> {
  const name = textOrNull(oneLine(wanted.name))
  const bio = textOrNull(plainLines(wanted.bio))
  if ((name?.length ?? 0) > maxNameLength) return 'long-name'
  if ((bio?.length ?? 0) > maxBioLength) return 'long-bio'
  await store.users.changeProfile(user.id, { name, bio })
  return null
}

function textOrNull(text: string): string | null {
  return text === '' ? null : text
}
