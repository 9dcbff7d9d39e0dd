import { addFirstAdministrator } from '../users/add-user.ts'
import type { AddUserRefusal } from '../users/add-user.ts'
import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import { addUserByCode } from './add-user-by-code.ts'
import { setRegistration } from './registration.ts'
import type { Registration } from './registration.ts'

const lifeMs = 30 * 60_000

/**
 * Creates a code for the first administrator, valid for 30 minutes; null if there is an administrator already. Earlier
 * codes stay valid: each server of a database prints its own.
 */
export async function makeSetUpCode(store: Store): Promise<string | null> {
  if (await store.users.hasAdministrator()) return null
  const code = makeSecretText()
  const expiresAt = Date.now() + lifeMs
  await store.codes.add({
    hash: hashSecretText(code),
    purpose: 'setup',
    userId: null,
    email: null,
    createdBy: null,
    expiresAt,
  })
  return code
}

/** Whether a code can still set up this host. */
export async function isSetUpCode(store: Store, code: string): Promise<boolean> {
  return !(await store.users.hasAdministrator()) && (await store.codes.find(hashSecretText(code), 'setup')) !== null
}

/** The input of the first administrator. */
export interface SetUp {
  readonly code: string
  readonly login: string
  readonly password: string
  readonly registration: Registration
}

/** Creates the first administrator. The code is used up only on success. */
export async function setUp(
  store: Store,
  { code, login, password, registration }: SetUp,
): Promise<
  | { readonly kind: 'done'; readonly user: User }
  | { readonly kind: 'refused'; readonly reason: AddUserRefusal | 'expired-code' }
> {
  if (!(await isSetUpCode(store, code))) return { kind: 'refused', reason: 'expired-code' }
  const outcome = await addUserByCode(
    store,
    { code, purpose: 'setup' },
    // Another link may have been used since.
    async () =>
      (await addFirstAdministrator(store, { login, password })) ?? { kind: 'refused', reason: 'expired-code' },
  )
  if (outcome.kind === 'refused') return outcome
  await setRegistration(store, registration)
  await store.events.add({ kind: 'host-set-up', userId: outcome.user.id, actorId: outcome.user.id })
  return { kind: 'done', user: outcome.user }
}
