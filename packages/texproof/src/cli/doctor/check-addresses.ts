import { isCompileClosed, isLoopback } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

/** Checks that the addresses in links work for their recipients. */
export function checkAddresses(config: Config): Finding[] {
  const url = new URL(config.baseUrl)
  const isPublic = !isLoopback(config.listen.host)
  const listens = `listens on ${config.listen.host}:${config.listen.port}, base URL ${config.baseUrl}`
  return [
    { check: 'address', state: 'good', message: listens, remedy: null },
    ...(isPublic && url.hostname === 'localhost'
      ? [weak('links to localhost do not work on other machines', 'Set base_url to the public address.')]
      : []),
    ...(url.protocol === 'http:'
      ? [
          weak(
            'no TLS: passwords and tokens are sent in plain text, and the GitHub CLI requires HTTPS',
            'Run an HTTPS reverse proxy and set base_url.',
          ),
        ]
      : []),
    ...(isCompileClosed(config)
      ? [weak('POST /compile rejects all requests: no key is set', 'Set COMPILE_API_KEY, or compile.anonymous = true.')]
      : []),
  ]
}

function weak(message: string, remedy: string): Finding {
  return { check: 'address', state: 'weak', message, remedy }
}
