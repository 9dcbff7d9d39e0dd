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
import { openRooms } from '../../../src/live/open-rooms.ts'
import { openPapers } from '../../../src/papers/open-papers.ts'
import { createSmartHttpListener } from '../../../src/smart-http/listener.ts'
import { openStore } from '../../../src/store/store.ts'
import { testConfig } from './test-config.ts'

const dataDir = process.argv[2] ?? ''
const log = pino({ level: 'fatal' })
const config: Config = {
  ...testConfig,
  dataDir,
  build: { ...testConfig.build, concurrency: 1 },
  backup: { everyMs: null, keep: 7, dir: join(dataDir, 'backups'), isIncremental: false },
}
const store = await openStore({ dataDir })
const git = await openGitStore({ root: join(dataDir, 'repositories'), log })
const parsers = openParsers()
const papers = await openPapers({ config, log, store, git, parsers })
const rooms = openRooms({ store, log })
const mail = openMail(null, { log, queue: openEmailQueue(store.queuedEmails, config) })
const demo = openDemo({ git, log, papers, store })
const server = createServer(createSmartHttpListener({ config, log, store, git, parsers, papers, rooms, mail, demo }))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null) console.log(`http://127.0.0.1:${address.port}`)
})
