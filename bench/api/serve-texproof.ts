import { createServer } from 'node:http'
import { join } from 'node:path'

import { pino } from 'pino'

import { createApiListener } from '../../packages/texproof/src/api/listener.ts'
import { openParsers } from '../../packages/texproof/src/base/open-parsers.ts'
import { openGitStore } from '../../packages/texproof/src/git/open-git-store.ts'
import { openStore } from '../../packages/texproof/src/store/store.ts'

// `serve-texproof.ts DATA_DIR BASE_URL`: the API as in `texproof serve`, with a log line per request. Prints its port,
// and its memory in MB for each input line.

const [dataDir = '', baseUrl = ''] = process.argv.slice(2)
const store = await openStore({ dataDir })
const git = await openGitStore({ root: join(dataDir, 'repositories') })
const log = pino({ level: 'info' }, pino.destination({ dest: '/dev/null', sync: false }))
/** Far above what the load creates. */
const ROOMY = { repositories: 1_000_000, storageBytes: 1e12, buildMinutes: 100_000, concurrentPushes: 16 }
const server = createServer(
  createApiListener({
    store,
    git,
    log,
    parsers: openParsers(),
    config: { baseUrl, isSignInRequired: false, quotas: ROOMY },
  }),
)
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(typeof address === 'object' && address !== null ? address.port : 0)
})
process.stdin.on('data', () => console.log(Math.round(process.memoryUsage.rss() / 1_048_576)))
process.stdin.on('end', () => process.exit())
