/** Invitations: a link that makes one account, for a host where not everybody may make one. */
import type { Store } from '../store/store.ts'
import { hashSecretText, makeSecretText } from '../operations/secret-text.ts'

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

/** To whom an invitation that still works went; null when it does not work. */
export async function findInvite(store: Store, code: string): Promise<{ readonly email: string | null } | null> {
  return code === '' ? null : store.codes.find(hashSecretText(code), 'invite')
}
