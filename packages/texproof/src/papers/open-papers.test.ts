import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { pino } from 'pino'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { addTestRepository } from '../../test/support/database/open-test-store.ts'
import { initialCommit } from '../../test/support/git/git-repository.ts'
import { testConfig } from '../../test/support/hosts/test-config.ts'
import { findPostgres, startPostgres } from '../../test/support/database/postgres-cluster.ts'
import { createPostgresDatabase, createTestDatabase } from '../../test/support/database/test-database.ts'
import { openParsers } from '../base/open-parsers.ts'
import { readConfig } from '../config/read-config.ts'
import type { Build } from '../domain/build.ts'
import { openGitStore } from '../git/open-git-store.ts'
import { StoreUnavailable } from '../store/sqlite/store-errors.ts'
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

test('a build that stopped while the database failed loses its lease, even while another build runs', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-papers-'))
  context.after(() => rm(dataDir, { recursive: true, maxRetries: 5 }))
  let isFailing = false
  const databaseUrl = await createTestDatabase(dataDir)
  const store = await openStore({
    dataDir,
    databaseUrl,
    isServer: true,
    beforeStatement(sql) {
      if (isFailing && sql.startsWith('update "build"')) throw new Error('the database is away')
    },
  })
  const git = await openGitStore({ root: join(dataDir, 'repositories') })
  const { repositoryId } = await addTestRepository(store)
  const endless = '\\loop\\iftrue\\repeat\n'
  const firstCommit = initialCommit({ 'a.tex': endless, 'b.tex': endless })
  await git.createRepository(repositoryId, { defaultBranch: 'main', initialCommit: firstCommit })
  const commitId = (await git.findBranch(repositoryId, 'main'))?.commitId ?? ''
  const build = { repositoryId, ref: 'refs/heads/main', commitId, engine: 'pdflatex', bibliography: 'none' } as const
  const [stopped, running] = await store.builds.addAll(
    ['a', 'b'].map((document) => ({ ...build, treeId: document, rootFile: `${document}.tex`, document, reason: '' })),
  )
  assert.ok(stopped && running)
  const parsers = openParsers()
  const config = { ...testConfig, dataDir, databaseUrl, sandbox: 'none' } as const
  const backup = { everyMs: null, keep: 7, dir: join(dataDir, 'backups'), isIncremental: false }
  const papers = await openPapers({
    config: { ...config, backup, build: { ...config.build, leaseMs: 2_000 } },
    log: pino({ level: 'silent' }),
    store,
    git,
    parsers,
  })
  const isCompiling = ({ id }: Build): boolean => /pass/i.test(papers.describeProgress(id) ?? '')
  await eventually(() => isCompiling(stopped) && isCompiling(running))
  isFailing = true
  await assert.rejects(papers.stopBuild(stopped.id), { message: 'the database is away' })
  isFailing = false
  const lostCount = await eventually(() => store.buildLeases.countLost(stopped.id))
  assert.deepEqual([lostCount, isCompiling(running)], [1, true])
  await papers.close()
  await parsers.close()
  await git.close()
  await store.close()
})

const programs = findPostgres()

test(
  'closing succeeds without the database',
  { skip: programs === null && 'PostgreSQL is not installed' },
  async (t) => {
    const cluster = await startPostgres(programs as NonNullable<typeof programs>)
    t.after(() => cluster.stop())
    const dataDir = await mkdtemp(join(tmpdir(), 'texproof-papers-'))
    t.after(() => rm(dataDir, { recursive: true, maxRetries: 5 }))
    let isDown = false
    const store = await openStore({
      dataDir,
      databaseUrl: await createPostgresDatabase(cluster.url),
      isServer: true,
      beforeStatement() {
        if (isDown) throw new StoreUnavailable({ cause: null })
      },
    })
    const git = await openGitStore({ root: join(dataDir, 'repositories') })
    const parsers = openParsers()
    const { config } = readConfig({ data: dataDir }, {})
    const log = pino({ level: 'silent' })
    const papers = await openPapers({ config: { ...config, sandbox: 'none' }, log, store, git, parsers })
    isDown = true
    const outcome = await papers.close().then(
      () => 'closed',
      (error: unknown) => error,
    )
    await parsers.close()
    await git.close()
    await store.close()
    assert.equal(outcome, 'closed')
  },
)
