/** Invitations: a link that creates one account, on a host with restricted registration. */
import type { Store } from '../../store/store.ts'
import { hashSecretText, makeSecretText } from '../../base/secret-text.ts'
import { findRepositoryInvitation } from './find-repository-invitation.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

const lifeMs = 7 * 86_400_000

/** Creates an invitation that works once, for seven days. Only the return value contains its text. */
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

/**
 * Creates the code of an email that verifies the address of a person who registers. It works like an invitation while
 * registration is open.
 */
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

/** A valid invitation and its recipient. */
export interface Invite {
  /** `coauthor` = invited to a repository, by a user. */
  readonly purpose: 'invite' | 'join' | 'coauthor'
  readonly email: string | null
}

/** The invitation of a code; null if it is invalid, or if the current registration rule does not allow it. */
export async function findInvite(
  store: Store,
  { code, areCoauthorsAllowed }: { readonly code: string; readonly areCoauthorsAllowed: boolean },
): Promise<Invite | null> {
  if (code === '') return null
  const hash = hashSecretText(code)
  const invite = await store.codes.find(hash, 'invite')
  if (invite !== null) return { purpose: 'invite', email: invite.email }
  const coauthor = areCoauthorsAllowed ? await store.codes.find(hash, 'coauthor') : null
  // The account is useless without the invitation, which may have been revoked.
  if (coauthor !== null && (await findRepositoryInvitation(store, code)) !== null)
    return { purpose: 'coauthor', email: coauthor.email }
  const asked = await store.codes.find(hash, 'join')
  if (asked === null) return null
  const rule = await findRegistration(store)
  return rule.mode === 'open' && isOfEmailDomain(asked.email, rule) ? { purpose: 'join', email: asked.email } : null
}

/** Revokes an invitation by the hash of its code; false if it is no longer valid. */
export async function revokeInvite(
  store: Store,
  { hash, actorId }: { readonly hash: string; readonly actorId: string },
): Promise<boolean> {
  const revoked = await store.codes.remove(hash, 'invite')
  if (revoked === null) return false
  await store.events.add({ kind: 'invite-revoked', userId: null, actorId, detail: revoked.email })
  return true
}
