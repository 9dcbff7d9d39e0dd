import type { LimitEnforcement } from '@texproof/platex/project'
import type { Config } from '../../config/read-config.ts'

/** What decides whether strangers may register, besides the rule that an administrator sets. */
export interface RegistrationSafety {
  readonly config: Pick<Config, 'sandbox' | 'registrationLimits'>
  readonly papers: { readonly limits: LimitEnforcement }
}

/**
 * Whether open registration is safe on this host. Without a sandbox strangers could read the server; without limits that
 * the kernel enforces they could exhaust its memory. Invitations work all the same.
 */
export function isOpenRegistrationSafe({ config, papers }: RegistrationSafety): boolean {
  if (config.sandbox === 'none') return false
  const { disk, memory } = papers.limits
  return config.registrationLimits === 'any' || (disk === null && memory === null)
}
