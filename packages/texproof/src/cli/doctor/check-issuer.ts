import { openIssuer } from '../../accounts/oidc/open-issuer.ts'
import type { Config } from '../../config/read-config.ts'
import { issuerCallback } from '../../accounts/oidc/issuer-callback.ts'
import type { Finding } from './finding.ts'

/** Does the issuer that people may sign in by answer? It is not asked to sign anybody in. */
export async function checkIssuer({ oidc, baseUrl }: Pick<Config, 'oidc' | 'baseUrl'>): Promise<Finding[]> {
  if (oidc === null) return []
  const callback = `${baseUrl}${issuerCallback}`
  const problems: string[] = []
  const begun = await openIssuer(oidc, { onProblem: (detail) => problems.push(detail) }).begin(callback)
  if (begun !== null) {
    const message = `${oidc.name} (${oidc.issuer}) signs people in; it must know ${callback}`
    return [{ check: 'sign-in', state: 'good', message, remedy: null }]
  }
  const message = `${oidc.name} (${oidc.issuer}) does not answer: ${problems.join(', ')}`
  return [{ check: 'sign-in', state: 'broken', message, remedy: 'Look at oidc.issuer; passwords go on working.' }]
}
