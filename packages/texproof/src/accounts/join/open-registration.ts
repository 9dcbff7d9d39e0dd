import type { LimitEnforcement } from '@texproof/platex/project'
import type { Config } from '../../config/read-config.ts'

/** What decides whether anyone may register, besides the rule that an administrator sets. */
export interface RegistrationSafety {
  readonly config: Pick<Config, 'sandbox' | 'registrationLimits'>
  readonly papers: { readonly limits: LimitEnforcement }
}

/**
 * Whether open registration is safe on this host. Without a sandbox, any new user could read files of the server;
 * without limits that the kernel enforces, any new user could exhaust its memory. Invitations are not affected.
 */
export function isOpenRegistrationSafe({ config, papers }: RegistrationSafety): boolean {
  if (config.sandbox === 'none') return false
  const { disk, memory } = papers.limits
  return config.registrationLimits === 'any' || (disk === null && memory === null)
}
