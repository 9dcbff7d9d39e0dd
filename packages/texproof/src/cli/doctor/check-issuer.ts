import { openIssuer } from '../../accounts/oidc/open-issuer.ts'
import type { Config } from '../../config/read-config.ts'
import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import type { Finding } from './finding.ts'

/** Checks that the identity provider responds. */
export async function checkIssuer({ oidc, baseUrl }: Pick<Config, 'oidc' | 'baseUrl'>): Promise<Finding[]> {
  if (oidc === null) return []
  const callback = `${baseUrl}${issuerCallback}`
  const problems: string[] = []
  const begun = await openIssuer(oidc, { onProblem: (detail) => problems.push(detail) }).begin(callback)
  if (begun !== null) {
    const message = `${oidc.name} (${oidc.issuer}) answers; its redirect URI must be ${callback}`
    return [{ check: 'sign-in', state: 'good', message, remedy: null }]
  }
  const message = `no answer from ${oidc.name} (${oidc.issuer}): ${problems.join(', ')}`
  return [{ check: 'sign-in', state: 'broken', message, remedy: 'Check oidc.issuer. Passwords keep working.' }]
}
