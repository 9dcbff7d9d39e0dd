import type { Context } from 'hono'

import { confirmOwner } from '../../accounts/confirm-owner.ts'
import type { OwnerConfirmation } from '../../accounts/confirm-owner.ts'
import type { Deps } from '../../deps.ts'
import { readField } from './session.ts'
import { tellToWait } from './tell-to-wait.ts'
import { requireViewer } from './viewer.ts'

/** Why a form came back. */
export interface Refusal {
  readonly problem: string
  readonly status: 422 | 429
}

/** Makes sure by the field `password` that the owner of the account sits there; null when it is so. */
export async function askOwner(c: Context, { store }: Pick<Deps, 'store'>): Promise<Refusal | null> {
  const { user, session } = requireViewer(c)
  const confirmation = await confirmOwner(store, { user, session, password: await readField(c, 'password') })
  return confirmation.kind === 'confirmed' ? null : refuseOwner(c, confirmation, 'That is not your password.')
}

/** Why it is not sure that the owner sits there; `wrong` is said of what was typed. */
export function refuseOwner(
  c: Context,
  confirmation: Exclude<OwnerConfirmation, { kind: 'confirmed' }>,
  wrong: string,
): Refusal {
  switch (confirmation.kind) {
    case 'wrong':
      return { problem: wrong, status: 422 }
    case 'stale':
      return {
        problem: 'You signed in more than 15 minutes ago. Sign out and in again, then repeat this.',
        status: 422,
      }
    case 'throttled':
      return { problem: tellToWait(c, confirmation.waitMs), status: 429 }
  }
}
