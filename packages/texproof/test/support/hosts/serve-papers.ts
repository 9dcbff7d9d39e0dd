/** A host in its own process, which tests can kill: prints its origin, serves the given data directory. */
import { createServer } from 'node:http'
import { join } from 'node:path'

import { pino } from 'pino'

import type { Config } from '../../../src/config/read-config.ts'
import { openDemo } from '../../../src/operations/demo/open-demo.ts'
import { openGitStore } from '../../../src/git/open-git-store.ts'
import { openMail } from '../../../src/mail/open-mail.ts'
import { openEmailQueue } from '../../../src/mail/email-queue.ts'
import { openParsers } from '../../../src/base/open-parsers.ts'
import { openPapers } from '../../../src/papers/open-papers.ts'
import { createSmartHttpListener } from '../../../src/smart-http/listener.ts'
import { openStore } from '../../../src/store/store.ts'

const dataDir = process.argv[2] ?? ''
const log = pino({ level: 'fatal' })
const config: Config = {
  dataDir,
  listen: { host: '127.0.0.1', port: 0 },
  baseUrl: 'http://127.0.0.1',
  compileApiKey: null,
  isCompileAnonymous: true,
  metrics: { isEnabled: true, token: null },
  sandbox: 'required',
  // Test machines need no delegated control groups.
  registrationLimits: 'any',
  build: {
    timeoutMs: 60_000,
    maxTimeoutMs: 300_000,
    concurrency: 1,
    waitingEngines: 0,
    maxFiles: 5000,
    maxBytes: 100e6,
  },
  retention: { buildsMs: 365 * 86_400_000, logsMs: 90 * 86_400_000 },
  maxCacheBytes: 10e9,
  maxPushBytes: 50e6,
  limits: { anonymousPerMinute: 100_000, signedInPerMinute: 100_000 },
  quotas: { repositories: 1_000, storageBytes: 20e9, buildMinutes: 600, concurrentPushes: 16 },
  backup: { everyMs: null, keep: 7, dir: join(dataDir, 'backups') },
  name: 'papers',
  contact: null,
  isSignInRequired: false,
  isPushToCreate: false,
  smtp: null,
  oidc: null,
  origins: [],
  log: { level: 'fatal', format: 'json' },
}
const store = await openStore({ dataDir })
const git = await openGitStore({ root: join(dataDir, 'repositories'), log })
const parsers = openParsers()
const papers = await openPapers({ config, log, store, git, parsers })
const mail = openMail(null, { log, queue: openEmailQueue(store.queuedEmails, config) })
const demo = openDemo({ git, log, papers, store })
const server = createServer(createSmartHttpListener({ config, log, store, git, parsers, papers, mail, demo }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`)
})
