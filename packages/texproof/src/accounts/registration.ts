import type { Store } from '../store/store.ts'

/** Who may make an account: anyone, whoever has an invitation, or nobody. */
export type RegistrationMode = 'open' | 'invite' | 'closed'

/** The rule of a host. */
export interface Registration {
  readonly mode: RegistrationMode
  /** For `open`: only e-mail addresses of this domain; null = any. */
  readonly emailDomain: string | null
}

const modes: readonly RegistrationMode[] = ['open', 'invite', 'closed']

/** The rule as stored; closed unless someone chose otherwise. */
export async function findRegistration(store: Store): Promise<Registration> {
  const [mode, emailDomain] = await Promise.all([
    store.settings.find('registration.mode'),
    store.settings.find('registration.email_domain'),
  ])
  return { mode: parseMode(mode) ?? 'closed', emailDomain: emailDomain === '' ? null : emailDomain }
}

/** Changes the rule for everybody who comes after. */
export async function setRegistration(store: Store, { mode, emailDomain }: Registration): Promise<void> {
  await store.settings.set('registration.mode', mode)
  await store.settings.set('registration.email_domain', emailDomain ?? '')
}

/** A rule from two fields of a form; null when they make none. */
export function parseRegistration(mode: string, emailDomain: string): Registration | null {
  const parsed = parseMode(mode)
  const domain = emailDomain.trim().replace(/^@/, '').toLowerCase()
  if (parsed === null || (domain !== '' && !/^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))) return null
  return { mode: parsed, emailDomain: domain === '' ? null : domain }
}

function parseMode(text: string | null): RegistrationMode | null {
  return modes.find((mode) => mode === text) ?? null
}
