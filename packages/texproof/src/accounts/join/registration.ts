import type { Store } from '../../store/store.ts'

/** Who may register without an invitation: anyone or no one. With `invite`, pages say that invitations exist. */
export type RegistrationMode = 'open' | 'invite' | 'closed'

/** The registration rule of a host. */
export interface Registration {
  readonly mode: RegistrationMode
  /** Email domains allowed by `open`: `uni.example, lab.example`; null = any. */
  readonly emailDomain: string | null
}

const modes: readonly RegistrationMode[] = ['open', 'invite', 'closed']

/** The rule as stored; closed by default. */
export async function findRegistration(store: Store): Promise<Registration> {
  const [mode, emailDomain] = await Promise.all([
    store.settings.find('registration.mode'),
    store.settings.find('registration.email_domain'),
  ])
  return { mode: parseMode(mode) ?? 'closed', emailDomain: emailDomain === '' ? null : emailDomain }
}

/** Changes the rule for future registrations. */
export async function setRegistration(store: Store, { mode, emailDomain }: Registration): Promise<void> {
  await store.settings.set('registration.mode', mode)
  await store.settings.set('registration.email_domain', emailDomain ?? '')
}

/** Parses a rule from two form fields; null if it is invalid. Domains are separated by commas or spaces. */
export function parseRegistration(mode: string, emailDomain: string): Registration | null {
  const parsed = parseMode(mode)
  const domains = emailDomain
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(/^@/, ''))
  if (parsed === null || !domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(domain))) return null
  return { mode: parsed, emailDomain: domains.length === 0 ? null : [...new Set(domains)].join(', ') }
}

/** Whether an address matches the domain rule. With such a rule, an account must have an address. */
export function isOfEmailDomain(email: string | null, { emailDomain }: Registration): boolean {
  if (emailDomain === null) return true
  const domain = email?.toLowerCase().split('@').at(-1)
  return domain !== undefined && emailDomain.split(', ').includes(domain)
}

function parseMode(text: string | null): RegistrationMode | null {
  return modes.find((mode) => mode === text) ?? null
}
