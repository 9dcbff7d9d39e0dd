import { isReservedLogin } from '../../domain/names.ts'
import { oneLine } from '../../domain/text/one-line.ts'
import type { User } from '../../domain/types.ts'
import { addUser, isEmail } from '../users/add-user.ts'
import type { AddUserRefusal } from '../users/add-user.ts'
import type { Store } from '../../store/store.ts'
import { UniqueViolation } from '../../store/sqlite/store-errors.ts'
import { sendVerification } from '../email/email-verification.ts'
import type { EmailDeps } from '../email/set-email.ts'
import { findRegistration, isOfEmailDomain } from '../join/registration.ts'
import type { ExternalIdentity } from './open-issuer.ts'
import { normalizeText } from '../../domain/text/normalize-text.ts'

const maxNameLength = 100

/** Why a person authenticated by the identity provider gets no account. */
export type IdentityJoinRefusal = AddUserRefusal | 'closed' | 'no-verified-email' | 'wrong-domain' | 'linked-elsewhere'

/** Rules of the decision, besides the person. */
interface Rules {
  readonly isJoinAllowed: boolean
  /** Without a sandbox, registration requires an invitation: a user who can push could read files of the server. */
  readonly isConfined: boolean
}

/**
 * Checks whether a person authenticated by the identity provider may have an account; null = yes. An email address is
 * required only if registration is limited to email domains.
 */
export async function refuseJoin(
  store: Store,
  person: ExternalIdentity,
  { isJoinAllowed, isConfined }: Rules,
): Promise<IdentityJoinRefusal | null> {
  if (!isJoinAllowed || !isConfined) return 'closed'
  const rule = await findRegistration(store)
  if (person.email === null) return rule.emailDomain === null ? null : 'no-verified-email'
  if (!isOfEmailDomain(person.email, rule)) return 'wrong-domain'
  return (await store.users.findByEmail(person.email)) === null ? null : 'email-taken'
}

/**
 * Creates an account without a password for a person authenticated by the identity provider, with a username of their
 * choice. An email address that the provider has not verified is used after the user has followed the link sent to it.
 */
export async function joinByIssuer(
  deps: EmailDeps,
  asked: { readonly person: ExternalIdentity; readonly login: string; readonly address: string; readonly rules: Rules },
): Promise<
  { readonly kind: 'joined'; readonly user: User } | { readonly kind: 'refused'; readonly reason: IdentityJoinRefusal }
> {
  const { person, login, address, rules } = asked
  const { store, mail } = deps
  const reason = await refuseJoin(store, person, rules)
  if (reason !== null) return { kind: 'refused', reason }
  const name = [...oneLine(person.name ?? '')].slice(0, maxNameLength).join('')
  const outcome = await addUser(store, { login, email: person.email, name: name === '' ? null : name })
  if (outcome.kind === 'refused') return outcome
  const { user } = outcome
  try {
    await store.identities.add(person, { userId: user.id })
  } catch (error) {
    // If the same person signs in from two browsers at once, only the first one creates the account.
    await store.users.remove(user.id)
    if (error instanceof UniqueViolation) return { kind: 'refused', reason: 'linked-elsewhere' }
    throw error
  }
  await store.events.add({ kind: 'joined', userId: user.id, actorId: user.id, address })
  const email = person.email === null ? person.unprovedEmail : null
  if (mail.isConfigured && email !== null && isEmail(email)) await sendVerification(deps, { user, email, address })
  return { kind: 'joined', user }
}

/** Suggests a username after the one at the identity provider; empty if no character of it is allowed, or it is reserved. */
export function suggestLogin(person: Pick<ExternalIdentity, 'username' | 'email' | 'unprovedEmail'>): string {
  const { username, email, unprovedEmail } = person
  const source = (username ?? email ?? unprovedEmail ?? '').split('@')[0] ?? ''
  const login = normalizeText(source, 'NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 39)
    .replaceAll(/^-+|-+$/g, '')
  return isReservedLogin(login) ? '' : login
}
