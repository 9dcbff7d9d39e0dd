/**
 * "Forgot the password?": sends an email with a link to the address of the account. The answer reveals nothing: it is
 * the same for every name, it is sent before the name is looked up, and requests are throttled.
 */
import type { Throttle } from '../../base/throttle.ts'
import type { Config } from '../../config/read-config.ts'
import { nameKey } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import type { Mail } from '../../mail/open-mail.ts'
import { writePasswordResetEmail } from '../../mail/account-emails.ts'
import type { Store } from '../../store/store.ts'
import { networkOf } from '../session/network-of.ts'
import { makeResetCode } from './reset-password.ts'

const linkLifeMs = 30 * 60_000
const longestName = 254

/** Throttles of password reset requests, one pair per host. */
export interface ForgotThrottles {
  readonly byAccount: Throttle
  readonly byAddress: Throttle
}

/** Opens the throttles of a form: three emails per hour do not fill a mailbox. */
export function openForgotThrottles({ throttles }: Pick<Store, 'throttles'>, form: 'forgot' | 'join'): ForgotThrottles {
  return {
    byAccount: throttles.open(`${form} by account`, {
      allowed: 3,
      firstWaitMs: 20 * 60_000,
      longestWaitMs: 60 * 60_000,
    }),
    byAddress: throttles.open(`${form} by address`, { allowed: 10, firstWaitMs: 60_000, longestWaitMs: 60 * 60_000 }),
  }
}

/** Dependencies of a password reset request. */
export interface ForgotDeps {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly store: Store
  readonly mail: Mail
  readonly throttles: ForgotThrottles
  /** Called with errors that occur after the answer was sent. */
  readonly onFault: (error: unknown) => void
}

/**
 * Requests an email by username or email address. Returns the milliseconds to wait if this network sends too many
 * requests, else 0. The email is queued after the answer, if the account exists.
 */
export async function askForReset(
  deps: ForgotDeps,
  { name, address }: { readonly name: string; readonly address: string },
): Promise<number> {
  const wanted = name.trim().slice(0, longestName)
  const waitMs = await deps.throttles.byAddress.attempt(networkOf(address))
  if (waitMs > 0) return waitMs
  setImmediate(() => void writeTo(deps, wanted).catch(deps.onFault))
  return 0
}

/** Counted by account, because an email address and a username may belong to the same mailbox. */
async function writeTo({ config, store, mail, throttles }: ForgotDeps, name: string): Promise<void> {
  const user = await findUser(store, name)
  if (user === null || user.email === null || user.isDisabled) return
  if ((await throttles.byAccount.attempt(user.id)) > 0) return
  const code = await makeResetCode(store, { user, createdBy: null, lifeMs: linkLifeMs })
  const { login, email: to } = user
  const link = `${config.baseUrl}/reset?code=${code}`
  mail.send(writePasswordResetEmail({ to, login, host: config.name, link, minutes: linkLifeMs / 60_000 }))
}

function findUser(store: Store, name: string): Promise<User | null> {
  return name.includes('@') ? store.users.findByEmail(name) : store.users.findByLogin(nameKey(name))
}
