/**
 * Demo data of the administration: created with visible progress, completely or not at all, and removed completely.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { findDemo } from '../../src/operations/demo/demo-record.ts'
import type { DemoRecord } from '../../src/operations/demo/demo-record.ts'
import { openDemo } from '../../src/operations/demo/open-demo.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import type { PaperHost } from '../support/hosts/paper-host.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { runProgram } from '../support/programs/run-program.ts'
import { openWebClient } from '../support/web/web-client.ts'
import type { WebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const password = 'nine trees by the river'
const dyingLoad = join(import.meta.dirname, '../support/recovery/load-demo-and-die.ts')
const whole = 'loaded 9 of 9, alice bob root-admin'
const nothing = 'none, root-admin'

describe('demo data', () => {
  let host: PaperHost
  let admin: WebClient

  before(async () => {
    host = await openPaperHost(withoutBuilds)
    await addTestUser(host.deps.store, { login: 'root-admin', password, isAdmin: true })
    admin = openWebClient(host.origin)
    await admin.submit('/login', '/login', { name: 'root-admin', password })
  })
  after(() => host.close())

  /** A one-line summary of the host's content. */
  async function summary(): Promise<string> {
    const { store } = host.deps
    const found = await findDemo(store.settings)
    const { total } = await store.admin.listRepositories({ text: '', window: { offset: 0, limit: 1 } })
    const logins = (await store.users.list({ text: '', limit: 10, offset: 0 })).map(({ login }) => login).join(' ')
    return `${found === null ? 'none' : `${found.state} ${total} of ${found.repositoryCount}`}, ${logins}`
  }

  async function whenLoaded(): Promise<void> {
    await eventually(() => host.deps.demo.describe(), { within: 500_000, until: ({ kind }) => kind === 'loaded' })
  }

  const load = (): ReturnType<WebClient['submit']> => admin.submit('/admin/demo', '/admin/demo', {})
  const remove = (): ReturnType<WebClient['submit']> => admin.submit('/admin/demo/remove', '/admin/demo/remove', {})

  test('the status page of an empty host offers to load them', async () => {
    const { text } = await admin.get('/admin/status')
    assert.match(text, /<form method="post" action="\/admin\/demo">[\s\S]*Load demo data/)
  })

  test('POST /admin/demo sent three times at once loads them once, and the page shows progress', async () => {
    const answers = await Promise.all([load(), load(), load()])
    const { text } = await admin.get('/admin/demo')
    await whenLoaded()
    assert.deepEqual(
      [answers.map(({ status, headers }) => `${status} ${headers['location']}`), await summary()],
      [Array(3).fill('303 /admin/demo'), whole],
    )
    assert.match(text, /http-equiv="refresh" content="2"/)
    assert.match(text, /Loading demo data: \d+ of 9 created/)
  })

  test('the demo users have no password', async () => {
    assert.deepEqual(
      await Promise.all(['alice', 'bob'].map((login) => host.deps.store.users.findWithPassword(login))),
      [null, null],
    )
  })

  test('GET /admin/demo lists what was created, and offers removal', async () => {
    const { text } = await admin.get('/admin/demo')
    assert.match(text, /href="\/alice\/hello-paper"/)
    assert.match(text, /href="\/admin\/demo\/remove"/)
    assert.match((await admin.get('/admin/status')).text, /This host has demo data/)
  })

  test('POST /admin/demo/remove keeps the data of other users and adds an audit event', async () => {
    const bystander = await host.addUser('carol')
    await host.addRepository(bystander.user, 'waves')
    const question = await admin.get('/admin/demo/remove')
    await Promise.all([remove(), remove()])
    const { store } = host.deps
    assert.match(question.text, /This permanently deletes 9 repositories/)
    assert.equal(await summary(), 'none, carol root-admin')
    const left = await store.admin.listRepositories({ text: '', window: { offset: 0, limit: 9 } })
    assert.deepEqual(
      left.items.map(({ repository }) => repository.name),
      ['waves'],
    )
    const { text } = await admin.get('/admin/log')
    assert.match(text, /Removed the demo data[\s\S]*Loaded demo data/)
    await store.repositories.remove(left.items[0]?.repository.id ?? 0)
    await store.users.remove(bystander.user.id)
  })

  test('a load interrupted by a restart is resumed and completed', async () => {
    await load()
    await host.restart()
    await whenLoaded()
    assert.equal(await summary(), whole)
  })

  test('a removal interrupted by a crash is resumed at the next start', async () => {
    await pretend({ state: 'removing', notedAt: 0 })
    await host.restart()
    await eventually(() => findDemo(host.deps.store.settings), { until: (demo) => demo === null })
    assert.equal(await summary(), nothing)
  })

  /** Changes the record, as time or a crash would. */
  async function pretend(change: Partial<DemoRecord>): Promise<void> {
    const { settings } = host.deps.store
    const found = await findDemo(settings)
    if (found === null) throw new Error('there is no demo')
    const { text, ...record } = found
    await settings.replace('demo', { from: text, to: JSON.stringify({ ...record, ...change }) })
  }

  for (const step of ['noted', 'unnoted'])
    test(`a killed load leaves no unfinished repository, its last one ${step}`, async () => {
      const { config, store } = host.deps
      const env = { TEXPROOF_BUILD_LOCAL: 'false' }
      await runProgram(process.execPath, [...process.execArgv, dyingLoad, config.dataDir, step], { env })
      await pretend({ notedAt: Date.now() + 3_600_000 }) // The record must not expire on a busy machine.
      assert.match((await admin.get('/admin/demo')).text, /Loading demo data: [23] of 9/)
      assert.equal((await load()).headers['location'], '/admin/demo')
      const byCommand = await runTexproof(['demo', '--data', config.dataDir])
      assert.deepEqual([byCommand.exitCode, /another process is adding or removing/.test(byCommand.stderr)], [1, true])
      await pretend({ notedAt: 0 })
      assert.match((await admin.get('/admin/demo')).text, /Loading or removing the demo data was interrupted/)
      const people = await Promise.all(['alice', 'bob'].map((login) => store.users.findByLogin(login)))
      await remove()
      assert.deepEqual([people.includes(null), await summary()], [false, nothing])
    })

  test('demo accounts get other usernames when theirs are taken', async () => {
    const { store } = host.deps
    const { user } = await host.addUser('bob')
    await load()
    await whenLoaded()
    const sheets = await store.repositories.findByName('bob-demo', 'sheets')
    assert.deepEqual(
      [await summary(), sheets?.name, await store.users.findWithPassword('bob-demo')],
      ['loaded 9 of 9, alice bob bob-demo root-admin', 'sheets', null],
    )
    await remove()
    assert.equal(await summary(), 'none, bob root-admin')
    await store.users.remove(user.id)
  })

  test('a failed load is undone, and the page says so', async () => {
    const { git, log, papers, store } = host.deps
    const broken = { ...git, maintain: () => Promise.reject(new Error('the disk is full')) }
    const demo = openDemo({ git: broken, log, papers, store })
    await demo.load({ actorId: (await store.users.findByLogin('root-admin'))?.id ?? '' })
    await eventually(() => demo.describe(), { until: ({ kind }) => kind === 'none' })
    await demo.close()
    assert.deepEqual([await demo.describe(), await summary()], [{ kind: 'none', hasFailed: true }, nothing])
  })

  test('the demo pages are not found by non-administrators', async () => {
    const anonymous = openWebClient(host.origin)
    const answers = await Promise.all(['/admin/demo', '/admin/demo/remove'].map((path) => anonymous.get(path)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404],
    )
  })
})
