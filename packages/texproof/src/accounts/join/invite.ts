/** Invitations: a link that makes one account, for a host where not everybody may make one. */
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

const lifeMs = 7 * 86_400_000

/** Makes an invitation that works once, for seven days; its text is in the answer and nowhere else. */
export async function makeInvite(
  store: Store,
  { createdBy, email }: { readonly createdBy: string | null; readonly email: string | null },
): Promise<string> {
  const code = makeSecretText()
  const expiresAt = Date.now() + lifeMs
  await store.codes.add({ hash: hashSecretText(code), purpose: 'invite', userId: null, email, createdBy, expiresAt })
  await store.events.add({ kind: 'user-invited', userId: null, actorId: createdBy, detail: email })
  return code
}

/** An email in which whoever asked to join proves their address; like an invitation while anyone may join. */
export async function makeJoinCode(store: Store, email: string): Promise<string> {
  const code = makeSecretText()
  const expiresAt = Date.now() + lifeMs
  await store.codes.add({
    hash: hashSecretText(code),
    purpose: 'join',
    userId: null,
    email,
    createdBy: null,
    expiresAt,
  })
  return code
}

/** An invitation that still works, and to whom it went. */
export interface Invite {
  readonly purpose: 'invite' | 'join'
  readonly email: string | null
}

/** The invitation that a code stands for; null when it does not work, or not under the rule of today. */
export async function findInvite(store: Store, code: string): Promise<Invite | null> {
  if (code === '') return null
  const hash = hashSecretText(code)
  const invite = await store.codes.find(hash, 'invite')
  if (invite !== null) return { purpose: 'invite', email: invite.email }
  const asked = await store.codes.find(hash, 'join')
  if (asked === null) return null
  const rule = await findRegistration(store)
  return rule.mode === 'open' && isOfEmailDomain(asked.email, rule) ? { purpose: 'join', email: asked.email } : null
}

/** Ends an invitation before its time, by the hash of its code; false when it does not work any more. */
export async function revokeInvite(
  store: Store,
  { hash, actorId }: { readonly hash: string; readonly actorId: string },
): Promise<boolean> {
  const revoked = await store.codes.remove(hash, 'invite')
  if (revoked === null) return false
  await store.events.add({ kind: 'invite-revoked', userId: null, actorId, detail: revoked.email })
  return true
}
