/**
 * "Forgot the password?": an email with a link, to the address that the account has. Whoever asks learns nothing: the
 * answer is the same for every name, it is out before anybody looks the name up, and asking often changes nothing.
 */
import type { Config } from '../../config/read-config.ts'
import { nameKey } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import type { Mail } from '../../mail/open-mail.ts'
import { writePasswordResetEmail } from '../../mail/account-emails.ts'
import type { Store } from '../../store/store.ts'
import { networkOf } from '../session/network-of.ts'
import { makeResetCode } from './reset-password.ts'
import { createThrottle } from '../session/throttle.ts'
import type { Throttle } from '../session/throttle.ts'

const linkLifeMs = 30 * 60_000
const longestName = 254

/** What asking is measured by, one of each a host. */
export interface ForgotThrottles {
  readonly byAccount: Throttle
  readonly byAddress: Throttle
}

/** Throttles of a fresh host: three emails in an hour fill no mailbox. */
export function createForgotThrottles(): ForgotThrottles {
  return {
    byAccount: createThrottle({ allowed: 3, firstWaitMs: 20 * 60_000, longestWaitMs: 60 * 60_000 }),
    byAddress: createThrottle({ allowed: 10, firstWaitMs: 60_000, longestWaitMs: 60 * 60_000 }),
  }
}

/** What a request needs of the house. */
export interface ForgotDeps {
  readonly config: Pick<Config, 'baseUrl' | 'name'>
  readonly store: Store
  readonly mail: Mail
  readonly throttles: ForgotThrottles
  /** Hears of what went wrong after the answer was out. */
  readonly onFault: (error: unknown) => void
}

/**
 * Asks for an email by user name or email address. Gives the milliseconds to wait where this network asks too often,
 * else 0: the email is written after the answer, if there is anybody to write to.
 */
export function askForReset(
  deps: ForgotDeps,
  { name, address }: { readonly name: string; readonly address: string },
): number {
  const wanted = name.trim().slice(0, longestName)
  const waitMs = deps.throttles.byAddress.attempt(networkOf(address))
  if (waitMs > 0) return waitMs
  setImmediate(() => void writeTo(deps, wanted).catch(deps.onFault))
  return 0
}

/** Counted by account, not by name: an address and a user name are two ways to one mailbox. */
async function writeTo({ config, store, mail, throttles }: ForgotDeps, name: string): Promise<void> {
  const user = await findUser(store, name)
  if (user === null || user.email === null || user.isDisabled || throttles.byAccount.attempt(user.id) > 0) return
  const code = await makeResetCode(store, { user, createdBy: null, lifeMs: linkLifeMs })
  const { login, email: to } = user
  const link = `${config.baseUrl}/reset?code=${code}`
  mail.send(writePasswordResetEmail({ to, login, host: config.name, link, minutes: linkLifeMs / 60_000 }))
}

function findUser(store: Store, name: string): Promise<User | null> {
  return name.includes('@') ? store.users.findByEmail(name) : store.users.findByLogin(nameKey(name))
}
