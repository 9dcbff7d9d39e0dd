import type { User } from '../../domain/types.ts'
import { addUser, isEmail } from '../users/add-user.ts'
import type { AddUserRefusal } from '../users/add-user.ts'
import type { Store } from '../../store/store.ts'
import { addUserByCode } from './add-user-by-code.ts'
import { sendEmailProof } from '../email/email-proof.ts'
import type { EmailDeps } from '../email/set-email.ts'
import { findInvite } from './invite.ts'
import type { Invite } from './invite.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

/** Why no account was made: `closed` = there is no way in, `wrong-domain` = not with this e-mail address. */
export type JoinRefusal = AddUserRefusal | 'closed' | 'dead-invite' | 'wrong-domain'

/** How somebody without an account may come in; `letter` = by one that goes to their address. */
export type WayIn = 'open' | 'letter' | 'closed' | Invite

/** What decides about a way in, besides the rule of the host. */
export interface Arrival {
  /** Of an invitation; may be empty. */
  readonly code: string
  readonly isConfined: boolean
  /** Whether the host sends letters. */
  readonly isMailing: boolean
}

/**
 * Whether this client may create an account. Without a sandbox, only invitations can: whoever can push could read
 * the server. Where only addresses of some domain may come in and letters are sent, the address has to be theirs.
 */
export async function findWayIn(store: Store, { code, isConfined, isMailing }: Arrival): Promise<WayIn> {
  const invite = await findInvite(store, code)
  if (invite !== null && (isConfined || invite.purpose === 'invite')) return invite
  const { mode, emailDomain } = await findRegistration(store)
  if (mode !== 'open' || !isConfined) return 'closed'
  return emailDomain !== null && isMailing ? 'letter' : 'open'
}

/** The address that needs no more proof, since the invitation was a letter to it; null = there is none. */
export function findProvedEmail(way: WayIn, { isMailing }: Pick<Arrival, 'isMailing'>): string | null {
  return typeof way === 'object' && isMailing && way.email !== null && isEmail(way.email) ? way.email : null
}

/** What somebody gives of themselves. */
export interface Newcomer {
  readonly code: string
  readonly isConfined: boolean
  readonly login: string
  readonly email: string | null
  readonly password: string
  readonly address: string
}

/** The new account and whether an invitation opened the way, or why there is none. */
export type JoinOutcome =
  | { readonly kind: 'joined'; readonly user: User; readonly isInvited: boolean }
  | { readonly kind: 'refused'; readonly reason: JoinRefusal }

/**
 * Makes an account for somebody who asks for one. An invitation is used up only if it works. On a host that sends
 * letters an address counts once it is proved, so whether it has an account already is told to nobody but its owner.
 */
export async function join(deps: EmailDeps, newcomer: Newcomer): Promise<JoinOutcome> {
  const { store, mail } = deps
  const { login, email, password, code, address } = newcomer
  const isMailing = mail.isConfigured
  const way = await findWayIn(store, { ...newcomer, isMailing })
  if (way === 'closed' || way === 'letter') return { kind: 'refused', reason: code === '' ? 'closed' : 'dead-invite' }
  if (way === 'open' && !isOfEmailDomain(email, await findRegistration(store)))
    return { kind: 'refused', reason: 'wrong-domain' }
  if (email !== null && !isEmail(email)) return { kind: 'refused', reason: 'invalid-email' }
  const proved = findProvedEmail(way, { isMailing })
  const details = { login, email: isMailing ? proved : email, password }
  const isInvited = typeof way === 'object'
  const outcome = isInvited
    ? await addUserByCode(store, { code, purpose: way.purpose }, details)
    : await addUser(store, details)
  if (outcome.kind === 'refused') {
    const { reason } = outcome
    return { kind: 'refused', reason: reason === 'dead-code' ? 'dead-invite' : reason }
  }
  const { user } = outcome
  await store.events.add({ kind: 'joined', userId: user.id, actorId: user.id })
  if (isMailing && proved === null && email !== null) await sendEmailProof(deps, { user, email, address })
  return { kind: 'joined', user, isInvited }
}
