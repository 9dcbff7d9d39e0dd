import type { Config } from '../../config/read-config.ts'
import { parseLogin } from '../../domain/names.ts'
import type { User } from '../../domain/types.ts'
import { addUser, findInvalidDetails, isEmail } from '../users/add-user.ts'
import type { AddUserRefusal } from '../users/add-user.ts'
import type { Store } from '../../store/store.ts'
import { addUserByCode } from './add-user-by-code.ts'
import { sendVerification } from '../email/email-verification.ts'
import type { EmailDeps } from '../email/set-email.ts'
import { findInvite } from './invite.ts'
import type { Invite } from './invite.ts'
import { isOpenRegistrationSafe, type RegistrationSafety } from './open-registration.ts'
import { findRegistration, isOfEmailDomain } from './registration.ts'

/**
 * Why no account was created: `closed` = registration is closed, `wrong-domain` = this email address is not allowed.
 */
export type JoinRefusal = AddUserRefusal | 'closed' | 'expired-invitation' | 'wrong-domain'

/** How a person without an account may register; `email` = with a link sent to their address. */
export type JoinMethod = 'open' | 'email' | 'closed' | Invite

/** Facts that decide the join method, besides the registration rule of the host. */
export interface RegistrationRequest {
  /** Code of an invitation; may be empty. */
  readonly code: string
  readonly isConfined: boolean
  /** Whether the host sends email. */
  readonly isMailing: boolean
  /** Whether users may invite co-authors who have no account. */
  readonly areCoauthorsAllowed: boolean
}

/** The registration request of a client; `code` is an invitation code, or empty. */
export async function describeRegistrationRequest(
  {
    config,
    mail,
    papers,
  }: RegistrationSafety & {
    readonly config: Pick<Config, 'areCoauthorsAllowed'>
    readonly mail: Pick<EmailDeps['mail'], 'isConfigured'>
  },
  code: string,
): Promise<RegistrationRequest> {
  return {
    code,
    isConfined: await isOpenRegistrationSafe({ config, papers }),
    isMailing: mail.isConfigured,
    areCoauthorsAllowed: config.areCoauthorsAllowed && mail.isConfigured,
  }
}

/** Whether an invitation to a repository, sent by email, may also create an account. */
export function canInviteWithoutAccount({ isConfined, areCoauthorsAllowed }: RegistrationRequest): boolean {
  return isConfined && areCoauthorsAllowed
}

/**
 * Whether this client may create an account. Without a sandbox, this requires an invitation: a user who can push could
 * read files of the server. If registration is limited to a domain and the host sends email, the address must be
 * verified.
 */
export async function findJoinMethod(store: Store, request: RegistrationRequest): Promise<JoinMethod> {
  const { isConfined, isMailing } = request
  const invite = await findInvite(store, request)
  if (invite !== null && (isConfined || invite.purpose === 'invite')) return invite
  const { mode, emailDomain } = await findRegistration(store)
  if (mode !== 'open' || !isConfined) return 'closed'
  return emailDomain !== null && isMailing ? 'email' : 'open'
}

/** The address that is verified already, because the invitation was sent to it; null if there is none. */
export function findVerifiedEmail(
  way: JoinMethod,
  { isMailing }: Pick<RegistrationRequest, 'isMailing'>,
): string | null {
  return typeof way === 'object' && isMailing && way.email !== null && isEmail(way.email) ? way.email : null
}

/** The input of a registration. */
export interface JoinDetails extends RegistrationRequest {
  readonly login: string
  readonly email: string | null
  readonly password: string
  readonly address: string
}

/** The new account and whether it was invited, or every reason why there is none, at least one. */
export type JoinOutcome =
  | { readonly kind: 'joined'; readonly user: User; readonly isInvited: boolean }
  | { readonly kind: 'refused'; readonly reasons: readonly JoinRefusal[] }

/**
 * Creates an account. An invitation is used up only on success. On a host that sends email, an address must be
 * verified, so only its owner learns whether it has an account already.
 */
export async function join(deps: EmailDeps, request: JoinDetails): Promise<JoinOutcome> {
  const { store } = deps
  const { login, email, password, code, address, isMailing } = request
  const way = await findJoinMethod(store, request)
  if (way === 'closed' || way === 'email')
    return { kind: 'refused', reasons: [code === '' ? 'closed' : 'expired-invitation'] }
  const invalid: JoinRefusal[] = [...findInvalidDetails({ login, email, password })]
  if (way === 'open' && !isOfEmailDomain(email, await findRegistration(store))) invalid.push('wrong-domain')
  if (invalid.length > 0) {
    const isTaken = parseLogin(login) !== null && (await store.users.findByLogin(login)) !== null
    return { kind: 'refused', reasons: isTaken ? ['login-taken', ...invalid] : invalid }
  }
  const verified = findVerifiedEmail(way, { isMailing })
  const details = { login, email: isMailing ? verified : email, password }
  const isInvited = typeof way === 'object'
  const outcome = isInvited
    ? await addUserByCode(store, { code, purpose: way.purpose }, () => addUser(store, details))
    : await addUser(store, details)
  if (outcome.kind === 'refused') {
    const { reason } = outcome
    return { kind: 'refused', reasons: [reason === 'expired-code' ? 'expired-invitation' : reason] }
  }
  const { user } = outcome
  await store.events.add({ kind: 'joined', userId: user.id, actorId: user.id })
  if (isMailing && verified === null && email !== null) await sendVerification(deps, { user, email, address })
  return { kind: 'joined', user, isInvited }
}
