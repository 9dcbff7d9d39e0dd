import type { User } from '../../domain/types.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { hasOtherLogin } from '../users/has-other-login.ts'
import type { ExternalIdentity } from './open-issuer.ts'

/** Why an identity is not linked. */
export type LinkRefusal = 'linked-elsewhere' | 'linked-already'

/** Details for the log. */
interface Circumstances {
  /** Display name of the identity provider, for the log. */
  readonly issuerName: string
  readonly address: string
}

/**
 * Links an identity, so that it can sign the user in. A user has at most one identity per provider. Identities are
 * never linked by email address, because a provider can claim any address.
 */
export async function linkIdentity(
  store: Store,
  { user, person }: { readonly user: User; readonly person: ExternalIdentity },
  { issuerName, address }: Circumstances,
): Promise<LinkRefusal | null> {
  const owner = await store.identities.findUser(person)
  if (owner !== null) return owner.id === user.id ? null : 'linked-elsewhere'
  if ((await store.identities.findOfUser(user.id, person.issuer)) !== null) return 'linked-already'
  try {
    await store.identities.add(person, { userId: user.id })
  } catch (error) {
    if (error instanceof UniqueViolation) return 'linked-elsewhere'
    throw error
  }
  const event = { kind: 'identity-linked', userId: user.id, actorId: user.id, address, detail: issuerName }
  await store.events.add(event)
  return null
}

/** Unlinks an identity, unless the user has no other sign-in method. */
export async function unlinkIdentity(
  store: Store,
  { user, issuer }: { readonly user: User; readonly issuer: string },
  { issuerName, address }: Circumstances,
): Promise<'only-sign-in-method' | null> {
  if (!(await hasOtherLogin(store, { user, issuer, way: { kind: 'identity', issuer } }))) return 'only-sign-in-method'
  if (await store.identities.removeOfUser(user.id, issuer))
    await store.events.add({
      kind: 'identity-unlinked',
      userId: user.id,
      actorId: user.id,
      address,
      detail: issuerName,
    })
  return null
}
