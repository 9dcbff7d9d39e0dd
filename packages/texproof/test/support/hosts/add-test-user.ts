import { randomBytes, scryptSync } from 'node:crypto'

import { addUser, type AddUserOutcome, type UserDetails } from '../../../src/accounts/users/add-user.ts'
import type { Store } from '../../../src/store/store.ts'

/** Like `addUser()`, with a cheap password hash, because tests sign in hundreds of times. */
export async function addTestUser(store: Store, { password, ...details }: UserDetails): Promise<AddUserOutcome> {
  const outcome = await addUser(store, details)
  if (outcome.kind === 'added' && typeof password === 'string')
    await store.users.setPasswordHash(outcome.user.id, hashTestPassword(password))
  return outcome
}

const logN = 10

/** A hash that takes a hundredth of the usual time to verify; hashes name their own cost. */
export function hashTestPassword(password: string): string {
  const salt = randomBytes(16)
  const key = scryptSync(password.normalize('NFKC'), salt, 32, { N: 2 ** logN, r: 8, p: 1 })
  return ['scrypt', logN, 8, 1, salt.toString('base64url'), key.toString('base64url')].join('$')
}
