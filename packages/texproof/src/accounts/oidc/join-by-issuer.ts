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

const maxNameLength = 100

/** Why somebody vouched for gets no account. */
export type IdentityJoinRefusal = AddUserRefusal | 'closed' | 'no-verified-email' | 'wrong-domain' | 'linked-elsewhere'

/** What decides about it, besides the person. */
interface Rules {
  readonly isJoinAllowed: boolean
  /** Without a sandbox nobody joins by themselves: whoever can push could read the server. */
  readonly isConfined: boolean
}

/**
 * Whether somebody vouched for may have an account here; null = yes. An address is needed where it decides who may join;
 * elsewhere the word of the issuer is enough.
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
 * Makes an account without a password for somebody vouched for, under a name of their choice. An address that the issuer
 * has not seen to be theirs counts once they have followed the link in an email.
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
    // The same person in two browsers at once: the first one has the account.
    await store.users.removeWithoutRepositories(user.id)
    if (error instanceof UniqueViolation) return { kind: 'refused', reason: 'linked-elsewhere' }
    throw error
  }
  await store.events.add({ kind: 'joined', userId: user.id, actorId: user.id, address })
  const email = person.email === null ? person.unprovedEmail : null
  if (mail.isConfigured && email !== null && isEmail(email)) await sendVerification(deps, { user, email, address })
  return { kind: 'joined', user }
}

/** What somebody might be called here, after what they are called there: empty when nothing of it can stand in a name. */
export function suggestLogin(person: Pick<ExternalIdentity, 'username' | 'email' | 'unprovedEmail'>): string {
  const { username, email, unprovedEmail } = person
  const source = (username ?? email ?? unprovedEmail ?? '').split('@')[0] ?? ''
  return source
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .slice(0, 39)
    .replaceAll(/^-+|-+$/g, '')
}
