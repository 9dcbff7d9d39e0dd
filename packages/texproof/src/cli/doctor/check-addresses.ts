import { isCompileClosed } from '../../main/app.ts'
import { isLoopback } from '../../config/read-config.ts'
import type { Config } from '../../config/read-config.ts'
import type { Finding } from './finding.ts'

/** Will the addresses that are handed out work for those who get them? */
export function checkAddresses(config: Config): Finding[] {
  const url = new URL(config.baseUrl)
  const isPublic = !isLoopback(config.listen.host)
  const listens = `listens on ${config.listen.host}:${config.listen.port}, addresses start with ${config.baseUrl}`
  return [
    { check: 'address', state: 'good', message: listens, remedy: null },
    ...(isPublic && url.hostname === 'localhost'
      ? [weak('others cannot follow addresses on localhost', 'Set base_url to the name that people type.')]
      : []),
    ...(url.protocol === 'http:'
      ? [
          weak(
            'no TLS: tokens travel readable, and gh works only with https',
            'Put a proxy with https in front and set base_url.',
          ),
        ]
      : []),
    ...(isCompileClosed(config)
      ? [weak('POST /compile is closed to everybody', 'Set COMPILE_API_KEY, or compile.anonymous = true.')]
      : []),
  ]
}

function weak(message: string, remedy: string): Finding {
  return { check: 'address', state: 'weak', message, remedy }
}
