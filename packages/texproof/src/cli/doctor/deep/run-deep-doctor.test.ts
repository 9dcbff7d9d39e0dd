import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { initialCommit } from '../../../../test/support/git/git-repository.ts'
import { openPaperHost, type PaperHost } from '../../../../test/support/hosts/paper-host.ts'
import { lockDataDir } from '../../../store/sqlite/data-dir-lock.ts'
import { runDeepDoctor } from './run-deep-doctor.ts'

let host: PaperHost
let dataDir: string
let gitDir: string
let otherDir: string

before(async () => {
  host = await openPaperHost()
  dataDir = host.deps.config.dataDir
  const { user } = await host.addUser('alice')
  const tides = await host.addRepository(user, 'tides')
  const waves = await host.addRepository(user, 'waves')
  gitDir = host.deps.git.gitDir(tides.id)
  otherDir = host.deps.git.gitDir(waves.id)
  await host.deps.git.createRepository(900, { defaultBranch: 'main', initialCommit: initialCommit({ a: 'a' }) })
})
after(() => host.close())

test('doctor --deep finds damage, plans its repair and repairs it, and then finds none', async () => {
  rmSync(host.deps.git.gitDir(900), { recursive: true })
  const good = await runDeepDoctor({ dataDir, databaseUrl: null }, 'check')
  const pdf = join(dataDir, 'cache/pdf/ab', `${'ab'.repeat(32)}.pdf`)
  const orphan = join(dataDir, 'repositories/01/257.git')
  const lock = join(gitDir, 'packed-refs.lock')
  const head = join(gitDir, 'HEAD')
  mkdirSync(join(dataDir, 'cache/pdf/ab'), { recursive: true })
  mkdirSync(orphan, { recursive: true })
  writeFileSync(pdf, 'no PDF of this name')
  writeFileSync(lock, '')
  writeFileSync(head, '')

  const found = await runDeepDoctor({ dataDir, databaseUrl: null }, 'check')
  const planned = await runDeepDoctor({ dataDir, databaseUrl: null }, 'plan')
  const untouched = readFileSync(head, 'utf8')
  const repaired = await runDeepDoctor({ dataDir, databaseUrl: null }, 'repair')

  assert.deepEqual(good, [
    { check: 'deep', state: 'good', message: 'database, refs, objects and PDFs of 2 repositories agree', remedy: null },
  ])
  assert.deepEqual(
    found.map(({ state, message }) => [state, message]),
    [
      ['broken', `alice/tides: ${head} is damaged: git cannot read the repository`],
      ['weak', `alice/tides: ${lock} left behind by a crash`],
      ['weak', `${orphan} belongs to no repository in the database`],
      ['broken', `${pdf} is damaged`],
    ],
  )
  assert.deepEqual(
    planned.map(({ remedy }) => remedy),
    [
      `would point ${head} at main`,
      `would remove ${lock}`,
      `would move ${orphan} to ${join(dataDir, 'repositories/trash/257-orphan')}, which the next start removes`,
      `would remove ${pdf}`,
    ],
  )
  assert.equal(untouched, '')
  assert.deepEqual(
    repaired.map(({ state }) => state),
    ['good', 'good', 'good', 'good'],
  )
  assert.deepEqual(await runDeepDoctor({ dataDir, databaseUrl: null }, 'check'), good)
})

test('doctor --deep reports a damaged object with its repository, and a missing repository', async () => {
  mkdirSync(join(otherDir, 'objects/ab'))
  writeFileSync(join(otherDir, 'objects/ab', 'c'.repeat(38)), 'no object')
  rmSync(gitDir, { recursive: true })
  const found = await runDeepDoctor({ dataDir, databaseUrl: null }, 'check')
  const [gone, damaged] = found
  assert.deepEqual(
    found.map(({ state, remedy }) => [state, remedy]),
    [
      ['broken', 'Restore the repository from a backup.'],
      ['broken', 'Restore the repository from a backup.'],
    ],
  )
  assert.equal(gone?.message, `alice/tides: ${gitDir} no repository is there`)
  assert.match(damaged?.message ?? '', /^alice\/waves: .*02\/2\.git error: .*abc{38}/)
})

test('doctor --deep reports a damaged database with its path', async () => {
  const copy = join(dataDir, 'damaged')
  mkdirSync(copy)
  writeFileSync(join(copy, 'texproof.db'), 'no database')
  const [finding] = await runDeepDoctor({ dataDir: copy, databaseUrl: null }, 'check')
  assert.deepEqual(
    [finding?.state, finding?.message],
    ['broken', `${join(copy, 'texproof.db')} is damaged: file is not a database`],
  )
})

test('doctor --repair refuses while a server runs', async () => {
  const lock = lockDataDir(dataDir, { pid: 1, url: 'http://localhost' })
  try {
    await assert.rejects(runDeepDoctor({ dataDir, databaseUrl: null }, 'repair'), /a server is running/)
  } finally {
    lock?.release()
  }
})
