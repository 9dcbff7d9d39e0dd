import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { after, before, test } from 'node:test'

import { eventually } from '../../../platex/test/support/eventually.ts'
import { encodeHostilePush, packBlob, packRepeats } from '../support/git/hostile-pack.ts'
import { letPushesWait } from '../support/hosts/let-pushes-wait.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'

const PAPER = { 'main.tex': '\\documentclass{article}\n\\begin{document}\nTides.\n\\end{document}\n' }

letPushesWait()

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>
let bob: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost({ isPushToCreate: true })
  alice = await host.addUser('alice')
  bob = await host.addUser('bob')
})
after(() => host.close())

function checkoutFor(path: string, token = alice.token): Promise<Checkout> {
  return host.makeCheckout(host.gitUrl(path, token), PAPER)
}

async function find(name: string, owner = 'alice') {
  return host.deps.store.repositories.findByName(owner, name)
}

test('a push to a missing repository of the user creates it as private and says so first', async () => {
  const checkout = await checkoutFor('Alice/tides.git')
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main')
  const made = await find('tides')
  assert.equal(exitCode, 0, stderr)
  assert.match(
    stderr,
    /remote: Created private repository alice\/tides \(push-to-create\)\.\s*\nremote: Found main\.tex[\s\S]*done in/,
  )
  assert.deepEqual([made?.name, made?.visibility, made?.defaultBranch], ['tides', 'private', 'main'])
  const again = await checkout.git('push', 'origin', 'main:refs/heads/next')
  assert.doesNotMatch(again.stderr, /Created/)
})

test('a dry-run push and a fetch create no repository', async () => {
  const checkout = await checkoutFor('alice/tried.git')
  const tried = await checkout.git('push', '--dry-run', 'origin', 'main')
  const fetched = await checkout.git('fetch', 'origin')
  assert.deepEqual([tried.exitCode, fetched.exitCode === 0, await find('tried')], [0, false, null])
})

test('a push of a branch with a refused name creates no repository', async () => {
  const checkout = await checkoutFor('alice/refused.git')
  const { stderr } = await checkout.git('push', 'origin', 'main:refs/notes/x')
  assert.match(stderr, /only branches/)
  assert.equal(await find('refused'), null)
})

test('a push of a user whose storage quota is used up creates no repository', async () => {
  const carol = await host.addUser('carol')
  const overrides = { repositories: null, buildMinutes: null, concurrentPushes: null, storageBytes: 1 }
  const full = await host.addRepository(carol.user, 'full')
  await host.deps.store.quotas.setOverrides(carol.user.id, overrides)
  await host.deps.store.quotas.setRepositorySize(full.id, 2)
  const checkout = await checkoutFor('carol/more.git', carol.token)
  const { stderr } = await checkout.git('push', 'origin', 'main')
  assert.match(stderr, /the repositories of carol exceed the storage quota/)
  assert.equal(await find('more', 'carol'), null)
})

test('a push that git refuses leaves no repository', async () => {
  const answer = await fetch(`${host.origin}/alice/damaged.git/git-receive-pack`, {
    method: 'POST',
    headers: { authorization: `Bearer ${alice.token}`, 'content-type': 'application/x-git-receive-pack-request' },
    body: encodeHostilePush([packRepeats({ id: '1'.repeat(40), size: 1 }, 2, 'a')]),
  })
  const text = await answer.text()
  assert.match(text, /unpack index-pack abnormal exit/)
  assert.doesNotMatch(text, /Created private repository/)
  assert.deepEqual([await find('damaged'), await host.deps.store.repositories.listTrashed(alice.user.id)], [null, []])
})

test('a push that is interrupted leaves no repository', async () => {
  const body = encodeHostilePush([packBlob(randomBytes(100_000))]).subarray(0, 50_000)
  const sent = request(`${host.origin}/alice/interrupted.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${alice.token}`,
      'content-type': 'application/x-git-receive-pack-request',
      'content-length': 2 * body.length,
    },
  })
  sent.on('error', () => {}) // destroyed below
  sent.write(body)
  await eventually(() => find('interrupted'), { until: (made) => made !== null })
  sent.destroy()
  await eventually(() => find('interrupted'), { until: (made) => made === null })
})

test('a push too large for one packet creates the repository too', async () => {
  const checkout = await checkoutFor('alice/large.git')
  await checkout.commit({ 'a.txt': Array.from({ length: 90_000 }, (_, at) => `${(at * 7919) % 104_729}\n`).join('') })
  const { exitCode, stderr } = await checkout.git('-c', 'http.postBuffer=65536', 'push', 'origin', 'main')
  assert.equal(exitCode, 0, stderr)
  assert.match(stderr, /Created private repository alice\/large/)
})

test('of two simultaneous pushes one creates the repository, and both report their branches', async () => {
  const checkouts = await Promise.all([checkoutFor('alice/race.git'), checkoutFor('alice/race.git')])
  const [left, right] = await Promise.all(
    checkouts.map((checkout, at) => checkout.git('push', 'origin', `main:refs/heads/branch-${at}`)),
  )
  assert.deepEqual([left?.exitCode, right?.exitCode], [0, 0])
  const told = [left, right].filter((outcome) => /Created private repository/.test(outcome?.stderr ?? ''))
  const made = await find('race')
  assert.ok(made)
  const branches = (await host.deps.git.listBranches(made.id)).map(({ name }) => name)
  assert.deepEqual([told.length, branches], [1, ['branch-0', 'branch-1']])
})

test('a read-only token creates no repository and is refused', async () => {
  const checkout = await checkoutFor('alice/read-only.git', await host.addToken(alice.user, []))
  const { stderr } = await checkout.git('push', 'origin', 'main')
  assert.match(stderr, /needs repo:write/)
  assert.equal(await find('read-only'), null)
})

test('a missing repository of another user stays missing, and a push without a token must authenticate', async () => {
  const foreign = await (await checkoutFor('bob/theirs.git')).git('push', 'origin', 'main')
  const statuses = await Promise.all(
    [{}, { authorization: `Bearer ${alice.token}` }].map(async (headers) => {
      const answer = await fetch(`${host.origin}/bob/theirs.git/info/refs?service=git-receive-pack`, { headers })
      return [answer.status, await answer.text()]
    }),
  )
  assert.match(foreign.stderr, /not found/)
  assert.deepEqual([statuses.map(([status]) => status), await find('theirs', 'bob')], [[401, 404], null])
  assert.match(
    (await (await checkoutFor('alice/mine.git', bob.token)).git('push', 'origin', 'main')).stderr,
    /not found/,
  )
})

test('an invalid repository name is refused with the rule', async () => {
  const { stderr } = await (await checkoutFor('alice/a%20b.git')).git('push', 'origin', 'main')
  assert.match(stderr, /Invalid repository name: use letters, digits/)
})

test('a push to the old name of a renamed repository creates no second one', async () => {
  const checkout = await checkoutFor('alice/first.git')
  await checkout.git('push', 'origin', 'main')
  const made = await find('first')
  assert.ok(made)
  await host.deps.store.repositories.rename(made, 'second')
  const { stderr } = await checkout.git('push', 'origin', 'main:refs/heads/next')
  assert.match(stderr, /alice\/first was renamed to alice\/second/)
  assert.equal(await find('first'), null)
})
