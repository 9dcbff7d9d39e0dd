import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { addUser } from '../../src/accounts/users/add-user.ts'
import { openStore } from '../../src/store/store.ts'
import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import { withoutBuilds } from '../support/hosts/test-config.ts'
import { runTexproof } from '../support/programs/run-texproof.ts'
import { openWebClient } from '../support/web/web-client.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'texproof-demo-'))
let passwords: Readonly<Record<string, string>>

before(async () => {
  // A busy machine must not turn a slow build into a failed one.
  const options = { env: { TEXPROOF_BUILD_TIMEOUT: '300s' }, timeoutS: 600 }
  passwords = JSON.parse((await runTexproof(['demo', '--json', '--data', dataDir], options)).stdout) as typeof passwords
})
after(() => rmSync(dataDir, { recursive: true, force: true }))

test('texproof demo builds every branch and tag of every paper, and only the zoo has errors', async () => {
  const store = await openStore({ dataDir })
  const summary: string[] = []
  for (const name of [
    'hello-paper',
    'tides',
    'talk',
    'thesis',
    'error-zoo',
    'private-draft',
    'old-paper',
    'code-only',
  ]) {
    const repository = await store.repositories.findByName('alice', name)
    const builds = repository === null ? [] : await store.builds.list(repository.id, { limit: 100, offset: 0 })
    const failed = builds.filter(({ errorCount }) => errorCount > 0).length
    summary.push(`${name} ${builds.length} ${failed}`)
  }
  await store.close()
  assert.deepEqual(summary, [
    'hello-paper 1 0',
    'tides 4 0',
    'talk 1 0',
    'thesis 1 0',
    'error-zoo 13 10',
    'private-draft 1 0',
    'old-paper 2 0',
    'code-only 0 0',
  ])
})

test('texproof repo list --json has the time at which the demo filled its repositories', async () => {
  const { stdout } = await runTexproof(['repo', 'list', '--json', '--data', dataDir])
  const listed = JSON.parse(stdout) as readonly { readonly full_name: string; readonly pushed_at: string | null }[]
  assert.ok(listed.length > 8)
  assert.deepEqual(
    listed.filter(({ pushed_at }) => pushed_at === null),
    [],
  )
})

test('GET /admin/demo shows the first pages of public papers', async () => {
  const password = 'nine trees by the river'
  const host = await openPaperHost({ ...withoutBuilds, dataDir })
  try {
    const { users } = host.deps.store
    await addTestUser(host.deps.store, { login: 'root-admin', password, isAdmin: true })
    const client = openWebClient(host.origin)
    await client.submit('/login', '/login', { name: 'root-admin', password })
    const { text } = await client.get('/admin/demo')
    await users.remove((await users.findByLogin('root-admin'))?.id ?? '')
    assert.match(text, /src="\/alice\/hello-paper\/picture\/main\.png[^"]*"/)
    assert.equal(text.includes('private-draft'), false)
  } finally {
    await host.close()
  }
})

test('texproof demo prints a password for each demo account', () => {
  assert.deepEqual(Object.keys(passwords), ['alice', 'bob'])
  assert.ok(Object.values(passwords).every((password) => password.length >= 16))
})

test('texproof demo does nothing the second time', async () => {
  const { stderr, stdout } = await runTexproof(['demo', '--data', dataDir])
  assert.deepEqual([stdout, /already exists/.test(stderr)], ['', true])
})

test('texproof demo --clean removes the demo data, and nothing else', async () => {
  const store = await openStore({ dataDir })
  await addUser(store, { login: 'reader' })
  await runTexproof(['demo', '--clean', '--data', dataDir])
  assert.deepEqual(
    [
      await store.users.count(),
      await store.users.findByLogin('alice'),
      await store.repositories.findByName('bob', 'sheets'),
    ],
    [1, null, null],
  )
  await store.close()
})
