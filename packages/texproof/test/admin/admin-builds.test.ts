/** The administration page of builds: it shows the builds of all users, and can cancel one. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openFilledSite } from '../support/hosts/filled-site.ts'
import type { FilledSite } from '../support/hosts/filled-site.ts'
import type { WebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

let site: FilledSite
let alice: WebClient
let bob: WebClient

before(async () => {
  site = await openFilledSite()
  alice = await site.signIn('alice')
  bob = await site.signIn('bob')
})
after(() => site.close())

test("GET /admin/builds shows the week's totals, most frequent failures and slowest builds", async () => {
  const { status, text } = await alice.get('/admin/builds')
  assert.equal(status, 200)
  assert.match(text, /No builds are running or queued\./)
  assert.match(text, /\d+ builds: 2 \(\d+%\) with errors; \d+ \(\d+%\) reused an existing PDF/)
  assert.match(text, /Most errors[\s\S]*href="\/admin\/repos\/alice\/(?:draft|tides)"[\s\S]*Slowest[\s\S]*\d\.\d s/)
  assert.equal((await bob.get('/admin/builds')).status, 404)
})

test('POST /admin/builds stops a running build and adds an audit event', async () => {
  const { host } = site
  const owner = await host.deps.store.users.findByLogin('bob')
  assert.ok(owner)
  const repository = await host.addRepository(owner, 'waves')
  const token = await host.addToken(owner, ['repo:write'])
  const checkout = await host.makeCheckout(host.gitUrl('bob/waves.git', token), {
    'main.tex': '\\documentclass{article}\\begin{document}\\def\\x{\\x}\\x\\end{document}\n',
  })
  const push = checkout.git('push', 'origin', 'main')
  const stopButton = /name="build"\s+value="(\d+)"\s+aria-label="Stop build 1 of bob\/waves"/
  const findButton = async () => stopButton.exec((await alice.get('/admin/builds')).text)?.[1]
  const button = await eventually(findButton)
  const answer = await alice.submit('/admin/builds', '/admin/builds', { build: button })
  await host.whenBuilt(repository.id)
  await push
  const build = await host.deps.store.builds.findByNumber(repository.id, 1)
  assert.deepEqual([answer.status, build?.state], [303, 'cancelled'])
  assert.match((await alice.get('/admin/log')).text, /Stopped: bob\/waves build 1/)
  const refused = await bob.submit('/bob', '/admin/builds', { build: button })
  assert.equal(refused.status, 404)
})
