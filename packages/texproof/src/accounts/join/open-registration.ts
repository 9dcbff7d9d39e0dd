import type { LimitEnforcement } from '@texproof/platex/project'
import type { Config } from '../../config/read-config.ts'
import type { Store } from '../../store/store.ts'
import { findRegistration } from './registration.ts'

/** Dependencies of the check whether open registration is safe, besides the rule that an administrator sets. */
export interface RegistrationSafety {
  readonly config: Pick<Config, 'sandbox' | 'registrationLimits'>
  readonly papers: { describeLimits(): Promise<LimitEnforcement> }
}

/** `explainRegistrationRisk` for this host, once its sandbox has been examined. */
export async function findRegistrationRisk({ config, papers }: RegistrationSafety): Promise<string | null> {
  return explainRegistrationRisk(config, await papers.describeLimits())
}

/**
 * Why open registration is not safe, as a clause; null if it is. Without a sandbox, any new user could read
 * files of the server; without limits that the kernel enforces, any new user could exhaust its memory. Invitations are not
 * affected.
 */
export function explainRegistrationRisk(
  config: RegistrationSafety['config'],
  { disk, memory }: LimitEnforcement,
): string | null {
  if (config.sandbox === 'none') return 'builds run without a sandbox'
  const isEnforced = disk === null && memory === null
  return config.registrationLimits === 'any' || isEnforced ? null : 'the kernel does not enforce the limits of builds'
}

/** Whether open registration is safe on this host. */
export async function isOpenRegistrationSafe(safety: RegistrationSafety): Promise<boolean> {
  return (await findRegistrationRisk(safety)) === null
}

/** Whether anyone may create an account, perhaps only with an address of an allowed domain. */
export async function isRegistrationOpen({
  store,
  ...safety
}: RegistrationSafety & { readonly store: Store }): Promise<boolean> {
  const { mode } = await findRegistration(store)
  return mode === 'open' && (await isOpenRegistrationSafe(safety))
}
