import { DEFAULTS } from '../base/defaults.ts'
import { parseTimeoutMs } from '../options/parse-settings.ts'
import type { PlatexClientConfig } from '../base/types.ts'
import { requestHeaders } from './request-headers.ts'
import { serviceEndpoint } from './service-endpoint.ts'
import { withDeadline } from './with-deadline.ts'

const HEALTH_DEADLINE_MS = 5_000

/**
 * True if `GET /health` of the service returns 2xx with `{"status":"ok"}` within five seconds, or within `timeout` if
 * that is shorter. The API key is not sent, because the endpoint does not require it. Never rejects.
 */
export async function checkHealth(serviceUrl: string, config: PlatexClientConfig): Promise<boolean> {
  try {
    const url = serviceEndpoint(serviceUrl, '/health')
    const headers = requestHeaders({ Accept: 'application/json' }, config.headers)
    const deadlineMs = Math.min(HEALTH_DEADLINE_MS, parseTimeoutMs(config.timeout) ?? DEFAULTS.timeoutMs)
    const fetch = config.fetch ?? globalThis.fetch
    return await withDeadline(
      async (signal) => {
        const response = await fetch(url.href, { headers, signal })
        const body: unknown = await response.json()
        return response.ok && typeof body === 'object' && body !== null && 'status' in body && body.status === 'ok'
      },
      { deadlineMs },
    )
  } catch {
    return false // Any failure means that the service cannot be used now.
  }
}
