import type { User } from '../domain/types.ts'
import type { Store } from '../store/store.ts'
import { UniqueViolation } from '../store/unique-violation.ts'
import { isEmail } from './add-user.ts'

/** Why a profile stays as it is. */
export type ChangeProfileRefusal = 'invalid-email' | 'email-taken' | 'too-long'

const maxNameLength = 100
const maxBioLength = 500

/** Changes what a person says of themselves; empty text takes a line away. Gives why not, or null when it is done. */
export async function changeProfile(
  store: Store,
  user: User,
  wanted: { readonly name: string; readonly bio: string; readonly email: string },
): Promise<ChangeProfileRefusal | null> {
  const name = textOrNull(wanted.name.replaceAll(/\p{Cc}+/gu, ' '))
  const bio = textOrNull(wanted.bio)
  const email = textOrNull(wanted.email)
  if ((name?.length ?? 0) > maxNameLength || (bio?.length ?? 0) > maxBioLength) return 'too-long'
  if (email !== null && !isEmail(email)) return 'invalid-email'
  try {
    await store.users.changeProfile(user.id, { name, bio, email })
    return null
  } catch (error) {
    if (error instanceof UniqueViolation) return 'email-taken'
    throw error
  }
}

function textOrNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}
