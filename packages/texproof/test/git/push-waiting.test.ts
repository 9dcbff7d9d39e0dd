import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'

import { addTestUser } from '../support/hosts/add-test-user.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

/** A document that compiles until it is stopped. */
const ENDLESS =
  '\\documentclass{article}\n\\begin{document}\n\\loop\\iftrue\\setbox0\\hbox{x}\\repeat\n\\end{document}\n'
const QUICK = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost()
  alice = await host.addUser('alice')
})

after(() => host.close())

/** The lines that remain on a terminal: progress ends in a carriage return and is omitted. */
function finalLines(stderr: string): string[] {
  return stderr
    .split('\n')
    .map((line) => line.split('\r').at(-1) ?? '')
    .filter((line) => line.startsWith('remote: '))
    .map((line) => line.slice('remote: '.length).trimEnd().replaceAll(host.origin, 'BASE'))
}

test('a push does not wait for a long build, and a push that replaces it builds at once', async () => {
  const repository = await host.addRepository(alice.user, 'slow')
  const checkout = await host.makeCheckout(host.gitUrl('alice/slow.git', alice.token), { 'main.tex': ENDLESS })
  const slow = await checkout.git('push', '--progress', 'origin', 'main')
  await checkout.commit({ 'main.tex': QUICK })
  const quick = await checkout.git('push', 'origin', 'main')
  const builds = await host.deps.store.builds.list(repository.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [
      slow.exitCode,
      finalLines(slow.stderr).slice(2),
      quick.exitCode,
      builds.map(({ number, state }) => [number, state]),
    ],
    [
      0,
      ['Building main … still building, see', '  BASE/alice/slow/builds/1'],
      0,
      [
        [2, 'succeeded'],
        [1, 'cancelled'],
      ],
    ],
  )
  assert.match(slow.stderr, /Building main … pass 1/)
})

test('a push that is replaced while it waits says so', async () => {
  await host.addRepository(alice.user, 'hasty')
  const checkout = await host.makeCheckout(host.gitUrl('alice/hasty.git', alice.token), { 'main.tex': ENDLESS })
  const first = checkout.git('push', 'origin', 'main')
  const { id } = (await host.deps.store.repositories.findByName('alice', 'hasty')) ?? { id: 0 }
  await eventually(() => host.deps.store.builds.count(id))
  const other = await host.makeCheckout(host.gitUrl('alice/hasty.git', alice.token), { 'main.tex': QUICK })
  await other.git('push', '--force', 'origin', 'main')
  assert.equal(
    finalLines((await first).stderr).at(-1),
    'Building main … cancelled (replaced by a newer push, or stopped)',
  )
})

test('a push whose repository is deleted ends with its builds, which are cancelled', async () => {
  const added = await addTestUser(host.deps.store, { login: 'bob', password: 'seven stones in the brook' })
  assert.ok(added.kind === 'added')
  const repository = await host.addRepository(added.user, 'going')
  const remote = host.gitUrl('bob/going.git', await host.addToken(added.user, ['repo:write']))
  const checkout = await host.makeCheckout(remote, { 'main.tex': ENDLESS })
  const pushing = checkout.git('push', 'origin', 'main')
  await eventually(() => host.deps.store.builds.listInProgress(repository.id), { until: ({ length }) => length > 0 })
  const bob = openWebClient(host.origin)
  await bob.submit('/login', '/login', { name: 'bob', password: 'seven stones in the brook' })
  const settings = '/bob/going/settings'
  const { status } = await bob.submit(settings, `${settings}/delete`, { name: 'bob/going' })
  const [build] = await host.deps.store.builds.list(repository.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [status, build?.state, finalLines((await pushing).stderr).at(-1)],
    [303, 'cancelled', 'Building main … cancelled (replaced by a newer push, or stopped)'],
  )
})

/** Pushes `main` and `topic`, whose builds do not end by themselves. */
async function pushEndless(name: string): Promise<{ checkout: Checkout; listStates: () => Promise<string[]> }> {
  const { id } = await host.addRepository(alice.user, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, alice.token), { 'main.tex': ENDLESS })
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/topic')
  const listStates = async (): Promise<string[]> => {
    const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
    return builds.map(({ ref, state }) => `${ref} ${state === 'cancelled' ? 'cancelled' : 'in progress'}`).toSorted()
  }
  return { checkout, listStates }
}

test('the builds of a deleted branch are cancelled, builds of other branches are not', async () => {
  const { checkout, listStates } = await pushEndless('deleted')
  await checkout.git('push', 'origin', ':topic')
  assert.deepEqual(await listStates(), ['refs/heads/main in progress', 'refs/heads/topic cancelled'])
})

for (const [what, files] of Object.entries({
  'has no documents': { 'main.tex': 'Text.' },
  'turns off automatic builds': { '.texproof.toml': '[build]\nauto = "demand"\n' },
})) {
  test(`a push that ${what} cancels the earlier builds of its branch`, async () => {
    const { checkout, listStates } = await pushEndless(what.replaceAll(' ', '-'))
    await checkout.commit(files)
    await checkout.git('push', 'origin', 'main')
    assert.deepEqual(await listStates(), ['refs/heads/main cancelled', 'refs/heads/topic in progress'])
    await checkout.git('push', 'origin', ':topic')
    assert.deepEqual(await listStates(), ['refs/heads/main cancelled', 'refs/heads/topic cancelled'])
  })
}

test('a client without side bands gets no progress and does not wait', async () => {
  await host.addRepository(alice.user, 'plain')
  const checkout = await host.makeCheckout('unused', { 'main.tex': ENDLESS })
  const head = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('bundle', 'create', 'all.bundle', 'main')
  const bundle = await readFile(`${checkout.dir}/all.bundle`)
  const command = `${'0'.repeat(40)} ${head} refs/heads/main\0report-status`
  const line = `${(command.length + 4).toString(16).padStart(4, '0')}${command}0000`
  const answer = await fetch(`${host.origin}/alice/plain.git/git-receive-pack`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-git-receive-pack-request',
      authorization: `Basic ${Buffer.from(`x:${alice.token}`).toString('base64')}`,
    },
    body: Buffer.concat([Buffer.from(line), bundle.subarray(bundle.indexOf('PACK'))]),
  })
  assert.deepEqual([answer.status, await answer.text()], [200, '000eunpack ok\n0017ok refs/heads/main\n0000'])
})
