import type { Context } from 'hono'

import { openPendingSignIn } from '../../accounts/second-factor/pending-sign-in.ts'
import { openSession } from '../../accounts/session/session-cookie.ts'
import type { Deps } from '../../operations/deps.ts'
import type { User } from '../../domain/types.ts'
import { setSessionCookie } from '../session/session.ts'
import { setStepCookie } from '../session/cookies.ts'
import { clientOf } from '../session/client.ts'

/** Signs in a user with a correct password or reset link: immediately, or after the second factor. */
export async function startSession(
  c: Context,
  { store }: Pick<Deps, 'store'>,
  { user, next, isRemembered }: { readonly user: User; readonly next: string; readonly isRemembered: boolean },
): Promise<Response> {
  if ((await store.secondFactors.find(user.id)) === null) {
    setSessionCookie(c, await openSession(store, user, { client: clientOf(c), isRemembered }))
    return c.redirect(next, 303)
  }
  setStepCookie(c, 'second-step', await openPendingSignIn(store, user))
  const query = new URLSearchParams({ next, ...(isRemembered ? { remember: 'yes' } : {}) })
  return c.redirect(`/login/second-step?${query}`, 303)
}
