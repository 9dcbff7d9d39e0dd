import type { Config } from '../../config/read-config.ts'
import type { User } from '../../domain/types.ts'
import type { Mail } from '../../mail/open-mail.ts'
import { writeAccountNotice } from '../../mail/account-notice-email.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'

/** Dependencies of a change of address. */
export interface EmailDeps {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly store: Store
  readonly mail: Mail
}

/** Sets the address of the account. Open password reset links and verifications of other addresses end. */
export async function setEmail(
  { config, store, mail }: EmailDeps,
  { user, email, address }: { readonly user: User; readonly email: string | null; readonly address: string },
): Promise<{ readonly kind: 'changed' | 'email-taken' }> {
  try {
    await store.users.changeProfile(user.id, { email })
  } catch (error) {
    if (error instanceof UniqueViolation) return { kind: 'email-taken' }
    throw error
  }
  await store.codes.removeOpen('reset', user.id)
  await store.codes.removeOpen('email', user.id)
  const kind = 'email-changed'
  await store.events.add({ kind, userId: user.id, actorId: user.id, address })
  if (user.email !== null) {
    const link = `${config.baseUrl}/settings/security`
    const about = {
      kind,
      login: user.login,
      host: config.name,
      detail: null,
      address,
      at: new Date(),
      link,
      isOwn: true,
    }
    mail.send(writeAccountNotice({ ...about, to: user.email }))
  }
  return { kind: 'changed' }
}
