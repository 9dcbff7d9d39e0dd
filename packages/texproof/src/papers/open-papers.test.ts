import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { pino } from 'pino'

import { createTestDatabase } from '../../test/support/database/test-database.ts'
import { openParsers } from '../base/open-parsers.ts'
import { readConfig } from '../config/read-config.ts'
import { openGitStore } from '../git/open-git-store.ts'
import { openStore } from '../store/store.ts'
import { openPapers } from './open-papers.ts'

test('a start that takes longer than an interval of its background tasks succeeds', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-papers-'))
  context.after(() => rm(dataDir, { recursive: true, maxRetries: 5 }))
  const log = pino({ level: 'silent' })
  let isStarting = false
  const databaseUrl = await createTestDatabase(dataDir)
  const store = await openStore({
    dataDir,
    databaseUrl,
    isServer: true,
    beforeStatement() {
      if (!isStarting) return
      isStarting = false
      context.mock.timers.tick(120_000)
    },
  })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const parsers = openParsers()
  const { config } = readConfig({ data: dataDir }, {})
  isStarting = true
  const papers = await openPapers({ config: { ...config, sandbox: 'none' }, log, store, git, parsers })
  assert.equal(isStarting, false)
  await papers.close()
  await parsers.close()
  await git.close()
  await store.close()
})
