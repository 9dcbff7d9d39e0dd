import type { Context } from 'hono'

import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import { sealRequest } from '../../accounts/oidc/issuer-step.ts'
import type { PendingRequest } from '../../accounts/oidc/issuer-step.ts'
import type { Issuer } from '../../accounts/oidc/open-issuer.ts'
import type { OidcConfig } from '../../config/read-config.ts'
import type { Deps } from '../../operations/deps.ts'
import { clearStepCookie, listSteps, setStepCookie, type Step } from '../session/cookies.ts'

/** Dependencies of the pages about the identity provider: its settings and its client. */
export interface OidcDeps extends Deps {
  readonly oidc: OidcConfig
  readonly issuer: Issuer
}

/** Browsers send all cookies with every request: more tabs would exceed the limit of its headers. */
const maxPending = 5

/** Starts a sign-in: stores its state in a cookie and returns the issuer's URL; null if the issuer does not respond. */
export async function openIssuerRequest(
  c: Context,
  { issuer, config }: OidcDeps,
  purpose: Pick<PendingRequest, 'next' | 'linksUserId'>,
): Promise<string | null> {
  const begun = await issuer.begin(`${config.baseUrl}${issuerCallback}`)
  if (begun === null) return null
  const pending = listSteps(c, 'oidc.')
  if (pending.length >= maxPending) for (const step of pending) clearStepCookie(c, step)
  setStepCookie(c, issuerStep(begun.request.state), await sealRequest(config.dataDir, { ...begun.request, ...purpose }))
  return begun.url
}

/** The step of a request; `state` is as the identity provider returned it, and may be any text. */
export function issuerStep(state: string): Step {
  return `oidc.${state.replaceAll(/[^\w-]/g, '').slice(0, 16)}`
}
