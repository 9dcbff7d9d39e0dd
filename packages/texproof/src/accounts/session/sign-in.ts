import { nameKey } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { networkOf } from './network-of.ts'
import { checkPassword } from '../password/password-checks.ts'
import type { Client } from './session-cookie.ts'
import type { Throttle } from '../../base/throttle.ts'

/** Throttles of a step of signing in. An address may fail more often than an account: a whole institute may share it. */
export interface SignInThrottles {
  readonly byAccount: Throttle
  readonly byAddress: Throttle
}

/**
 * Throttles of password guesses. An account may fail more often from all networks together than from one of them, so that
 * a person who only knows the username cannot keep its owner from signing in.
 */
export interface PasswordThrottles extends SignInThrottles {
  readonly byAccountAndAddress: Throttle
}

/** The outcome of a username and a password. Unknown names and wrong passwords are not distinguished. */
export type SignInOutcome =
  | { readonly kind: 'known'; readonly user: User }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly waitMs: number }

const waits = { firstWaitMs: 30_000, longestWaitMs: 15 * 60_000 }
const fromNetwork = { allowed: 20, ...waits }

/** Opens the throttles of password guesses. */
export function openPasswordThrottles({ throttles }: Pick<Store, 'throttles'>): PasswordThrottles {
  return {
    byAccount: throttles.open('password by account', { allowed: 50, ...waits }),
    byAccountAndAddress: throttles.open('password by account and address', { allowed: 5, ...waits }),
    byAddress: throttles.open('password by address', fromNetwork),
  }
}

/** Opens the throttles of second factors. A code has six digits, and only a client that knows the password can guess it. */
export function openSecondFactorThrottles({ throttles }: Pick<Store, 'throttles'>): SignInThrottles {
  return {
    byAccount: throttles.open('second-factor by account', { allowed: 5, ...waits }),
    byAddress: throttles.open('second-factor by address', fromNetwork),
  }
}

/**
 * Checks a username or the email address of an account with a password. An unknown name takes as long as a known one.
 * Both names of an account are counted as one.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function signIn(
  store: Store,
  throttles: PasswordThrottles,
  { name, password, client }: { readonly name: string; readonly password: string; readonly client: Client },
): Promise<SignInOutcome> {
  const account = await findAccountName(store, name.trim().slice(0, 254))
  const address = networkOf(client.address)
  const here = `${account} ${address}`
  const waitMs =
    (await throttles.byAddress.attempt(address)) ||
    (await throttles.byAccountAndAddress.attempt(here)) ||
    (await throttles.byAccount.attempt(account))
  if (waitMs > 0) return { kind: 'throttled', waitMs }

  const found = await store.users.findWithPassword(account)
  const isRight = await checkPassword(password, found?.passwordHash ?? null).catch(async (error: unknown) => {
    // An attempt that was not checked does not count as a guess.
    await throttles.byAddress.forgive(address)
    await throttles.byAccountAndAddress.forgive(here)
    await throttles.byAccount.forgive(account)
    throw error
  })
  if (!isRight || found === null || found.user.isDisabled || !(await isUnchanged(store, account, found))) {
    if (found !== null)
      await store.events.add({ kind: 'sign-in-failed', userId: found.user.id, actorId: null, address: client.address })
    return { kind: 'refused' }
  }
  await throttles.byAddress.forgive(address)
  await throttles.byAccountAndAddress.forget(here)
  await throttles.byAccount.forgive(account)
  return { kind: 'known', user: found.user }
}

/** The check takes a while: the password may have been changed, or the account disabled, in the meantime. */
async function isUnchanged(store: Store, account: string, found: { readonly passwordHash: string }): Promise<boolean> {
  const now = await store.users.findWithPassword(account)
  return now !== null && now.passwordHash === found.passwordHash && !now.user.isDisabled
}

/** A username has no `@`. An unknown name is counted by itself. */
async function findAccountName(store: Store, typed: string): Promise<string> {
  const user = typed.includes('@') ? await store.users.findByEmail(typed) : null
  return nameKey(user?.login ?? typed)
}
