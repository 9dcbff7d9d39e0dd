/**
 * Another e-mail address for an account. Letters that set a new password go there, so whoever changes it has shown to be
 * the owner before, and the old address is told: it is the only place where a thief cannot read along.
 */
import type { Config } from '../config.ts'
import type { User } from '../domain/types.ts'
import type { Mail } from '../mail/open-mail.ts'
import { writeNotice } from '../mail/write-notice.ts'
import { isEmail } from '../operations/add-user.ts'
import type { Store } from '../store/store.ts'
import { UniqueViolation } from '../store/unique-violation.ts'

/** Why the address stays as it is. */
export type ChangeEmailRefusal = 'invalid-email' | 'email-taken'

/** Changes the address; empty text takes it away. Reset links under way end. Gives why not, or null when it is done. */
export async function changeEmail(
  {
    config,
    store,
    mail,
  }: { readonly config: Pick<Config, 'baseUrl' | 'name'>; readonly store: Store; readonly mail: Mail },
  { user, wanted, address }: { readonly user: User; readonly wanted: string; readonly address: string },
): Promise<ChangeEmailRefusal | null> {
  const email = wanted.trim() === '' ? null : wanted.trim()
  if (email !== null && !isEmail(email)) return 'invalid-email'
  if (email === user.email) return null
  try {
    await store.users.changeProfile(user.id, { email })
  } catch (error) {
    if (error instanceof UniqueViolation) return 'email-taken'
    throw error
  }
  await store.codes.removeOpen('reset', user.id)
  const kind = 'email-changed'
  await store.events.add({ kind, userId: user.id, actorId: user.id, address })
  if (user.email !== null) {
    const link = `${config.baseUrl}/settings/security`
    const about = { kind, login: user.login, host: config.name, detail: null, address, at: new Date(), link }
    mail.send(writeNotice({ ...about, to: user.email }))
  }
  return null
}
