import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { serve } from '@hono/node-server'

import { createApp } from '../../src/api/server.ts'
import type { CompileApp, CompileServiceConfig, ServiceEvent } from '../../src/api/server.ts'

export interface LiveService extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly app: CompileApp
  /** Log events of the service so far. */
  readonly events: readonly ServiceEvent[]
}

/** Starts the real service on a loopback port. */
export async function startService(config: CompileServiceConfig = {}): Promise<LiveService> {
  const events: ServiceEvent[] = []
  const app = createApp({ log: (event) => events.push(event), ...config })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  if (!server.listening) await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    events,
    [Symbol.asyncDispose]: async () => {
      if ('closeAllConnections' in server) server.closeAllConnections()
      server.close()
      await app.drain({ timeoutMs: 0 })
    },
  }
}
