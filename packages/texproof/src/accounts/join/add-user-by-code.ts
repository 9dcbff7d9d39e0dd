import type { AddUserOutcome } from '../users/add-user.ts'
import { hashSecretText } from '../../base/secret-text.ts'
import type { CodePurpose } from '../../store/users/one-time-codes.ts'
import type { Store } from '../../store/store.ts'

/** The new user, or why there is none. */
export type CodeOutcome = AddUserOutcome | { readonly kind: 'refused'; readonly reason: 'expired-code' }

/**
 * Creates an account with a code, by calling `add`. The code is taken first, so that only one of several concurrent requests succeeds. It
 * is returned if no account is created: refused, or too many passwords are being checked.
 *
 * @throws TooManyPasswordChecks when too many passwords are being checked.
 */
export async function addUserByCode(
  store: Store,
  { code, purpose }: { readonly code: string; readonly purpose: CodePurpose },
  add: () => Promise<CodeOutcome>,
): Promise<CodeOutcome> {
  const hash = hashSecretText(code)
  if ((await store.codes.take(hash, purpose)) === null) return { kind: 'refused', reason: 'expired-code' }
  let isSpent = false
  try {
    const outcome = await add()
    isSpent = outcome.kind === 'added'
    return outcome
  } finally {
    if (!isSpent) await store.codes.giveBack(hash)
  }
}
