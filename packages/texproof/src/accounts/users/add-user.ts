import { randomInt } from 'node:crypto'

import { parseLogin } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { maxPasswordBytes } from '../password/hash-password.ts'
import { hashNewPassword } from '../password/password-gate.ts'

/** What is known of a person when the account is made. */
export interface UserDetails {
  /** @default a new one */
  readonly id?: string
  readonly login: string
  readonly name?: string | null
  readonly email?: string | null
  readonly password?: string | null
  readonly isAdmin?: boolean
}

/** Why no account was made. */
export type AddUserRefusal = 'invalid-login' | 'invalid-email' | 'invalid-password' | 'login-taken' | 'email-taken'

/** The new user, or why there is none. */
export type AddUserOutcome =
  | { readonly kind: 'added'; readonly user: User }
  | { readonly kind: 'refused'; readonly reason: AddUserRefusal }

const minPasswordLength = 10

/**
 * Makes an account.
 *
 * @throws PasswordGateFull when too many passwords are being checked.
 */
export async function addUser(store: Store, details: UserDetails): Promise<AddUserOutcome> {
  const login = parseLogin(details.login)
  if (login === null) return refused('invalid-login')
  const email = details.email ?? null
  if (email !== null && !isEmail(email)) return refused('invalid-email')
  const password = details.password ?? null
  if (password !== null && !isPassword(password)) return refused('invalid-password')

  const passwordHash = password === null ? null : await hashNewPassword(password)
  const user = { login, name: details.name ?? null, email, passwordHash, isAdmin: details.isAdmin ?? false }
  try {
    return { kind: 'added', user: await store.users.add(user, details.id ?? newUserId()) }
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
    return refused(error.columns.includes('email_key') ? 'email-taken' : 'login-taken')
  }
}

function refused(reason: AddUserRefusal): AddUserOutcome {
  return { kind: 'refused', reason }
}

/** Digits, since clients exist that read the text as a number; random, so that no account tells how many there are. */
export function newUserId(): string {
  return String(randomInt(1e9, 2 ** 48 - 1))
}

/** Whether a text may be a password: long enough, and not so long that checking it costs. */
export function isPassword(password: string): boolean {
  return password.length >= minPasswordLength && Buffer.byteLength(password) <= maxPasswordBytes
}

/** Whether a text has what no email address can be without; whether it receives mail shows when mail is sent. */
export function isEmail(email: string): boolean {
  return email.length <= 254 && /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u.test(email)
}
