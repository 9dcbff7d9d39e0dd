import { randomInt } from 'node:crypto'

import { isReservedLogin, parseLogin } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import type { NewUser } from '../../store/users/users.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { maxPasswordBytes } from '../password/hash-password.ts'
import { hashNewPassword } from '../password/password-checks.ts'

/** The details of a new account. */
export interface UserDetails {
  /** @default a new one */
  readonly id?: string
  readonly login: string
  readonly name?: string | null
  readonly email?: string | null
  readonly password?: string | null
  readonly isAdmin?: boolean
}

/** Why no account was created. */
export type AddUserRefusal =
  | 'invalid-login'
  | 'reserved-login'
  | 'invalid-email'
  | 'invalid-password'
  | 'login-taken'
  | 'email-taken'

/** The new user, or why there is none. */
export type AddUserOutcome =
  | { readonly kind: 'added'; readonly user: User }
  | { readonly kind: 'refused'; readonly reason: AddUserRefusal }

const minPasswordLength = 10

/**
 * Creates an account.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function addUser(store: Store, details: UserDetails): Promise<AddUserOutcome> {
  return create(details, async (user, id) => added(await store.users.add(user, id)))
}

/**
 * Creates an account that is an administrator; null if there is one, also one that is being created at the same time.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function addFirstAdministrator(store: Store, details: UserDetails): Promise<AddUserOutcome | null> {
  return create({ ...details, isAdmin: true }, async (user, id) => {
    const first = await store.users.addFirstAdministrator(user, id)
    return first === null ? null : added(first)
  })
}

async function create<Outcome>(
  details: UserDetails,
  add: (user: NewUser, id: string) => Promise<Outcome>,
): Promise<Outcome | AddUserOutcome> {
  const [invalid] = findInvalidDetails(details)
  if (invalid !== undefined) return refused(invalid)
  const { login, name = null, email = null, password = null, isAdmin = false } = details
  const passwordHash = password === null ? null : await hashNewPassword(password)
  try {
    return await add({ login, name, email, passwordHash, isAdmin }, details.id ?? newUserId())
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    return refused(error.columns.includes('email_key') ? 'email-taken' : 'login-taken')
  }
}

/** The invalid details, before anything is created. */
export function findInvalidDetails({
  login,
  email = null,
  password = null,
}: Pick<UserDetails, 'login' | 'email' | 'password'>): readonly AddUserRefusal[] {
  const found: AddUserRefusal[] = []
  if (isReservedLogin(login)) found.push('reserved-login')
  else if (parseLogin(login) === null) found.push('invalid-login')
  if (email !== null && !isEmail(email)) found.push('invalid-email')
  if (password !== null && !isPassword(password)) found.push('invalid-password')
  return found
}

function added(user: User): AddUserOutcome {
  return { kind: 'added', user }
}

function refused(reason: AddUserRefusal): AddUserOutcome {
  return { kind: 'refused', reason }
}

/**
 * Digits, because some clients read the text as a number; random, so that it does not reveal the number of accounts.
 */
export function newUserId(): string {
  return String(randomInt(1e9, 2 ** 48 - 1))
}

/** Whether a text can be a password: long enough, and short enough to hash quickly. */
export function isPassword(password: string): boolean {
  return password.length >= minPasswordLength && Buffer.byteLength(password) <= maxPasswordBytes
}

/**
 * Whether a text has the form of one plain email address. Only sending email shows whether it receives any. Characters that
 * separate or enclose addresses are excluded: `<bob@uni.example>` would be another address than `bob@uni.example`, with the
 * same mailbox.
 */
export function isEmail(email: string): boolean {
  return email.length <= 254 && /^[^\s@\p{Cc}()<>[\]:;,\\"]+@[^\s@\p{Cc}()<>[\]:;,\\"]+$/u.test(email)
}
