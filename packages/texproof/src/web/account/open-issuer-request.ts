import type { Context } from 'hono'

import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import { sealRequest } from '../../accounts/oidc/issuer-step.ts'
import type { PendingRequest } from '../../accounts/oidc/issuer-step.ts'
import type { Issuer } from '../../accounts/oidc/open-issuer.ts'
import type { OidcConfig } from '../../config/read-config.ts'
import type { Deps } from '../../operations/deps.ts'
import { setStepCookie } from '../session/cookies.ts'

/** Dependencies of the pages about the identity provider: its settings and its client. */
export interface OidcDeps extends Deps {
  readonly oidc: OidcConfig
  readonly issuer: Issuer
}

/** Starts a sign-in: stores its state in a cookie and returns the issuer's URL; null if the issuer does not respond. */
export async function openIssuerRequest(
  c: Context,
  { issuer, config }: OidcDeps,
  purpose: Pick<PendingRequest, 'next' | 'linksUserId'>,
): Promise<string | null> {
  const begun = await issuer.begin(`${config.baseUrl}${issuerCallback}`)
  if (begun === null) return null
  setStepCookie(c, 'oidc', await sealRequest(config.dataDir, { ...begun.request, ...purpose }))
  return begun.url
}
