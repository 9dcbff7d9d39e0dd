import type { User } from '../domain/types.ts'
import { addUser } from '../operations/add-user.ts'
import type { AddUserRefusal } from '../operations/add-user.ts'
import type { Store } from '../store/store.ts'
import { addUserByCode } from './add-user-by-code.ts'
import { findInvite } from './invite.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

/** Why no account was made: `closed` = there is no way in, `wrong-domain` = not with this e-mail address. */
export type JoinRefusal = AddUserRefusal | 'closed' | 'dead-invite' | 'wrong-domain'

/** How somebody without an account may come in; `letter` = by one that goes to their address. */
export type WayIn = 'open' | 'invited' | 'letter' | 'closed'

/** What decides about a way in, besides the rule of the host. */
export interface Arrival {
  /** Of an invitation; may be empty. */
  readonly code: string
  readonly isConfined: boolean
  /** Whether the host sends letters. */
  readonly isMailing: boolean
}

/**
 * Whether this visitor may make an account. Without a sandbox nobody may by themselves: whoever can push could read
 * the server. Where only addresses of some domain may come in and letters are sent, the address has to be theirs.
 */
export async function findWayIn(store: Store, { code, isConfined, isMailing }: Arrival): Promise<WayIn> {
  if ((await findInvite(store, code)) !== null) return 'invited'
  const { mode, emailDomain } = await findRegistration(store)
  if (mode !== 'open' || !isConfined) return 'closed'
  return emailDomain !== null && isMailing ? 'letter' : 'open'
}

/** The new account and whether an invitation opened the way, or why there is none. */
export type JoinOutcome =
  | { readonly kind: 'joined'; readonly user: User; readonly isInvited: boolean }
  | { readonly kind: 'refused'; readonly reason: JoinRefusal }

/** Makes an account for somebody who asks for one. An invitation is used up only if it works. */
export async function join(
  store: Store,
  asked: Arrival & { readonly login: string; readonly email: string | null; readonly password: string },
): Promise<JoinOutcome> {
  const { login, email, password, code } = asked
  const way = await findWayIn(store, asked)
  if (way === 'closed' || way === 'letter') return { kind: 'refused', reason: code === '' ? 'closed' : 'dead-invite' }
  if (way === 'open' && !isOfEmailDomain(email, await findRegistration(store)))
    return { kind: 'refused', reason: 'wrong-domain' }
  const details = { login, email, password }
  const outcome =
    way === 'invited' ? await addUserByCode(store, { code, purpose: 'invite' }, details) : await addUser(store, details)
  if (outcome.kind === 'refused') {
    const { reason } = outcome
    return { kind: 'refused', reason: reason === 'dead-code' ? 'dead-invite' : reason }
  }
  await store.events.add({ kind: 'joined', userId: outcome.user.id, actorId: outcome.user.id })
  return { kind: 'joined', user: outcome.user, isInvited: way === 'invited' }
}
