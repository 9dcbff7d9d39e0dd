// The service under attack, in its own process. Prints its port as the first line.

import { serve } from '@hono/node-server'
import { createApp } from '../../src/api/server.ts'

const sandbox = process.argv[2] === 'none' ? 'none' : 'required'
const app = createApp({ sandbox, maxConcurrentCompiles: 4, log: () => {} })

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(port))

process.once('SIGTERM', () => {
  void app.drain({ timeoutMs: 0 }).then(() => process.exit(0))
})
