/** Two concurrent changes of one repository: each is completed or refused, and the host keeps running. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { after, before, test } from 'node:test'

import type { Repository } from '../../src/domain/types.ts'
import {
  deleteRepository,
  removeFromTrash,
  restoreRepository,
} from '../../src/operations/repository/delete-repository.ts'
import { disableRepository } from '../../src/operations/repository/disable-repository.ts'
import { renameRepository } from '../../src/operations/repository/rename-repository.ts'
import { openPaperHost } from '../support/hosts/paper-host.ts'
import type { Checkout, PaperHost } from '../support/hosts/paper-host.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { listChildren } from '../support/programs/list-processes.ts'

/** A document that compiles for some seconds. */
const SLOW =
  '\\documentclass{article}\n\\begin{document}\n\\newcount\\n\\loop\\advance\\n by 1 \\hbox{\\number\\n}\\ifnum\\n<150000 \\setbox0\\hbox{x}\\repeat\n\\end{document}\n'
/** A document that compiles until it is stopped. */
const ENDLESS = '\\documentclass{article}\n\\begin{document}\n\\def\\again{\\again}\\again\n\\end{document}\n'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost()
  alice = await host.addUser('alice')
})
after(() => host.close())

test('a push to a repository that was renamed in the meantime is refused', async () => {
  const { repository, checkout } = await makeRepository('before', { 'a.txt': 'a\n' })
  const pushed = await pushSlowly('before', checkout, () =>
    renameRepository(host.deps, { repository, actor: alice.user }, 'after'),
  )
  const again = await checkout.git('push', host.gitUrl('alice/after.git', alice.token), 'main')
  assert.match(pushed.report, /ng refs\/heads\/main alice\/before was renamed to alice\/after/)
  assert.deepEqual([pushed.branch, again.exitCode], [null, 0])
})

test('a push to a repository that was deleted in the meantime is refused', async () => {
  const { repository, checkout } = await makeRepository('going', { 'a.txt': 'a\n' })
  const pushed = await pushSlowly('going', checkout, () =>
    deleteRepository(host.deps, { repository, actor: alice.user }),
  )
  assert.match(pushed.report, /ng refs\/heads\/main Repository not found/)
  assert.equal(pushed.branch, null)
})

test('a repository can be purged while it is built', async () => {
  const { repository, checkout } = await makeRepository('built', { 'main.tex': SLOW })
  const pushing = checkout.git('push', 'origin', 'main')
  await whenRunning(repository.id)
  await deleteRepository(host.deps, { repository, actor: alice.user })
  await removeFromTrash(host.deps, { owner: alice.user, id: repository.id })
  await pushing
  const other = await makeRepository('next', { 'a.txt': 'a\n' })
  assert.deepEqual(
    [
      await host.deps.git.hasRepository(repository.id),
      await host.deps.store.builds.count(repository.id),
      (await other.checkout.git('push', 'origin', 'main')).exitCode,
    ],
    [false, 0, 0],
  )
})

test('a repository that is restored from the trash gets the builds that were cancelled there', async () => {
  const { repository, checkout } = await makeRepository('back', { 'main.tex': SLOW })
  const pushing = checkout.git('push', 'origin', 'main')
  await whenRunning(repository.id)
  await deleteRepository(host.deps, { repository, actor: alice.user })
  const ref = { ref: 'refs/heads/main', document: null }
  const stopped = await host.deps.store.builds.findNewest(repository.id, ref)
  await host.deps.papers.stopBuild(stopped?.id ?? 0)
  await pushing
  await restoreRepository(host.deps, { owner: alice.user, id: repository.id })
  const newest = await host.deps.store.builds.findNewest(repository.id, ref)
  assert.deepEqual(
    [newest?.commitId, newest?.number, newest?.state !== 'cancelled'],
    [stopped?.commitId, (stopped?.number ?? 0) + 1, true],
  )
})

test('a repository that is restored while its waiting build is cancelled gets another one', async (t) => {
  const { deps } = host
  const slots = Array.from({ length: deps.config.build.concurrency }, (_, index) => `slot${index}`)
  const busy = await Promise.all(slots.map((name) => makeRepository(name, { 'main.tex': ENDLESS })))
  const pushes = busy.map(({ checkout }) => checkout.git('push', 'origin', 'main'))
  for (const { repository } of busy) await whenRunning(repository.id)
  const { repository, checkout } = await makeRepository('forth', { 'main.tex': SLOW })
  pushes.push(checkout.git('push', 'origin', 'main'))
  const ref = { ref: 'refs/heads/main', document: null }
  const first = await eventually(() => deps.store.builds.findNewest(repository.id, ref), {
    until: (build) => build !== null,
  })
  await deleteRepository(deps, { repository, actor: alice.user })
  // The restoration falls between the check of the repository and the cancellation.
  const cancel = deps.store.builds.cancel.bind(deps.store.builds)
  t.mock.method(deps.store.builds, 'cancel', async (ids: readonly number[]) => {
    if (ids.includes(first?.id ?? 0)) await restoreRepository(deps, { owner: alice.user, id: repository.id })
    await cancel(ids)
  })
  for (const { repository: slot } of busy) {
    const running = await deps.store.builds.findNewest(slot.id, ref)
    await deps.papers.stopBuild(running?.id ?? 0)
  }
  await Promise.all(pushes)
  const newest = await eventually(() => deps.store.builds.findNewest(repository.id, ref), {
    until: (build) => build?.id !== first?.id,
  })
  assert.deepEqual([newest?.commitId, newest?.number], [first?.commitId, (first?.number ?? 0) + 1])
})

test('a running clone of a repository that is disabled completes, and the next is refused', async () => {
  const noise = randomBytes(6 * 1024 * 1024).toString('base64')
  const { repository, checkout } = await makeRepository('shut', { 'noise.txt': noise })
  await checkout.git('push', 'origin', 'main')
  const head = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const headers = { 'content-type': 'application/x-git-upload-pack-request' }
  const body = `${packetLine(`want ${head} side-band-64k\n`)}0000${packetLine('done\n')}`
  const ask = () => fetch(`${host.origin}/alice/shut.git/git-upload-pack`, { method: 'POST', headers, body })
  const clone = await ask()
  await disableRepository(host.deps.store, { repository, actorId: alice.user.id, reason: 'asked to' })
  const bytes = Buffer.from(await clone.arrayBuffer())
  assert.deepEqual(
    [bytes.length > noise.length / 2, bytes.subarray(-4).toString(), (await ask()).status],
    [true, '0000', 401],
  )
})

test('of simultaneous renames to one name exactly one succeeds', async () => {
  const names = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5']
  const made = await Promise.all(names.map((name) => host.addRepository(alice.user, name)))
  const outcomes = await Promise.all(
    made.map((repository) => renameRepository(host.deps, { repository, actor: alice.user }, 'wanted')),
  )
  assert.deepEqual(outcomes.toSorted(), ['renamed', ...names.slice(1).map(() => 'taken')])
  const { repositories } = host.deps.store
  const found = await Promise.all([...names, 'wanted'].map((name) => repositories.findByName('alice', name)))
  assert.equal(found.filter((one) => one !== null).length, names.length)
})

test('a push cannot delete the default branch, so pages and clones keep working', async () => {
  const { repository, checkout } = await makeRepository('beheaded', { 'a.txt': 'a\n' })
  await checkout.git('push', 'origin', 'main', 'main:refs/heads/other')
  const deleted = await checkout.git('push', 'origin', ':main')
  const branches = (await host.deps.git.listBranches(repository.id)).map(({ name }) => name)
  const pages = await Promise.all(
    ['', '/branches', '/commits/main', '/tree/other'].map((part) => fetch(`${host.origin}/alice/beheaded${part}`)),
  )
  const clone = await checkout.git('clone', '--quiet', host.gitUrl('alice/beheaded.git'), 'clone')
  assert.deepEqual(
    [deleted.exitCode, branches, pages.map(({ status }) => status), clone.exitCode],
    [1, ['main', 'other'], [200, 200, 200, 200], 0],
  )
})

test('the host logged no error in all of this', () => {
  const faults = host
    .logged()
    .split('\n')
    .filter((line) => line.includes('"level":50'))
  assert.deepEqual(faults, [])
})

async function makeRepository(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<{ readonly repository: Repository; readonly checkout: Checkout }> {
  const repository = await host.addRepository(alice.user, name)
  const checkout = await host.makeCheckout(host.gitUrl(`alice/${name}.git`, alice.token), files)
  return { repository, checkout }
}

async function whenRunning(repositoryId: number): Promise<void> {
  await eventually(() => host.deps.store.builds.list(repositoryId, { limit: 10, offset: 0 }), {
    until: (builds) => builds.some(({ state }) => state === 'running'),
  })
}

function packetLine(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text
}

/** Pushes `main` except the last bytes, runs `midway`, sends the rest; returns the resulting commit of `main`. */
async function pushSlowly(name: string, checkout: Checkout, midway: () => Promise<unknown>) {
  const { id } = (await host.deps.store.repositories.findByName('alice', name)) ?? assert.fail()
  const head = (await checkout.git('rev-parse', 'HEAD')).stdout.trim()
  await checkout.git('bundle', 'create', 'all.bundle', 'main')
  const bundle = await readFile(`${checkout.dir}/all.bundle`)
  const command = `${'0'.repeat(40)} ${head} refs/heads/main\0report-status`
  const body = Buffer.concat([Buffer.from(`${packetLine(command)}0000`), bundle.subarray(bundle.indexOf('PACK'))])
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const headers = {
    'content-type': 'application/x-git-receive-pack-request',
    authorization: `Basic ${Buffer.from(`x:${alice.token}`).toString('base64')}`,
    'content-length': String(body.length),
  }
  const push = request(`${host.origin}/alice/${name}.git/git-receive-pack`, { method: 'POST', headers }, (response) => {
    response.toArray().then((chunks) => resolve(Buffer.concat(chunks).toString()), reject)
  })
  push.once('error', reject)
  push.write(body.subarray(0, -8))
  await eventually(() => listChildren('receive-pack'), { until: (running) => running.length === 1 })
  await midway()
  push.end(body.subarray(-8))
  return { report: await promise, branch: await host.deps.git.findBranch(id, 'main') }
}
