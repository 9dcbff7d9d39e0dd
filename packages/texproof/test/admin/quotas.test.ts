/** Quotas of users: enforced with the reason, raised by an administrator, and visible to both. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import type { Caller, Repository, User } from '../../src/domain/types.ts'
import { noOverrides } from '../../src/domain/quota-fields.ts'
import { addFiles } from '../../src/operations/edit/add-files.ts'
import { importGit } from '../../src/operations/import/import-git.ts'
import { createRepository } from '../../src/operations/repository/create-repository.ts'
import { createWithFiles } from '../../src/operations/repository/create-with-files.ts'
import { acceptTransfer, offerTransfer } from '../../src/operations/repository/transfer-repository.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
const QUOTAS = { repositories: 2, storageBytes: 20 * 1024 ** 2, buildMinutes: 30, concurrentPushes: 4 }

let host: PaperHost

before(async () => {
  host = await openPaperHost({ quotas: QUOTAS })
})

after(() => host.close())

async function create(owner: Awaited<ReturnType<PaperHost['addUser']>>['user'], name: string) {
  const details = { owner, name, description: null, visibility: 'public', firstCommit: null } as const
  const outcome = await createRepository(host.deps, { ...details, authorEmail: 'a@localhost', projectUrl: '' })
  return outcome.kind === 'over-quota' ? outcome : outcome.kind
}

async function offer(owner: User, to: User, name: string): Promise<Repository> {
  const repository = await host.addRepository(owner, name)
  await offerTransfer(host.deps.store, { repository, actor: owner }, to.login)
  return repository
}

test('of repositories created at once, as many are created as the quota admits', async () => {
  const { user } = await host.addUser('many')
  await create(user, 'before')
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => create(user, name)))
  const refused = { kind: 'over-quota', limit: 2 }
  assert.deepEqual(outcomes, ['created', refused, refused, refused])
})

test('an administrator can raise the repository quota of one user', async () => {
  const { user } = await host.addUser('raised')
  const first = [await create(user, 'a'), await create(user, 'b'), await create(user, 'c')]
  await host.deps.store.quotas.setOverrides(user.id, { ...noOverrides, repositories: 3 })
  const later = [await create(user, 'c'), await create(user, 'd')]
  assert.deepEqual(
    [first, later],
    [
      ['created', 'created', { kind: 'over-quota', limit: 2 }],
      ['created', { kind: 'over-quota', limit: 3 }],
    ],
  )
})

test('transfers accepted at once do not exceed the repository quota of the new owner', async () => {
  const [giver, taker] = [await host.addUser('giver'), await host.addUser('taker')]
  await host.addRepository(taker.user, 'own')
  const offers = ['first', 'second'].map((name) => offer(giver.user, taker.user, name))
  const repositories = await Promise.all(offers)
  const accepted = repositories.map((repository) => acceptTransfer(host.deps, { repository, actor: taker.user }))
  const outcomes = (await Promise.all(accepted)).toSorted((a, b) => a.kind.localeCompare(b.kind))
  assert.deepEqual(outcomes, [{ kind: 'accepted' }, { kind: 'over-quota', limit: 2 }])
})

test('a transfer past the storage quota of the new owner is refused, and can be accepted later', async () => {
  const [giver, taker] = [await host.addUser('heavy'), await host.addUser('light')]
  const repository = await offer(giver.user, taker.user, 'tides')
  await host.deps.store.quotas.setRepositorySize(repository.id, QUOTAS.storageBytes + 1)
  const refused = await acceptTransfer(host.deps, { repository, actor: taker.user })
  await host.deps.store.quotas.setRepositorySize(repository.id, QUOTAS.storageBytes)
  const accepted = await acceptTransfer(host.deps, { repository, actor: taker.user })
  assert.deepEqual(
    [refused, accepted],
    [{ kind: 'over-storage', limitBytes: QUOTAS.storageBytes }, { kind: 'accepted' }],
  )
})

test('a push past the storage quota is refused with the limit; a push that deletes is not', async () => {
  const { user, token } = await host.addUser('large')
  await host.addRepository(user, 'tides')
  const checkout = await host.makeCheckout(host.gitUrl('large/tides.git', token), { 'notes.txt': 'Notes\n' })
  await writeFile(join(checkout.dir, 'a.bin'), randomBytes(2 * 1024 * 1024))
  await checkout.commit({ 'a.txt': 'a\n' })
  await checkout.git('push', 'origin', 'main', 'main:other')
  await host.deps.store.quotas.setOverrides(user.id, { ...noOverrides, storageBytes: 2 * 1024 * 1024 })
  await checkout.commit({ 'notes.txt': 'More\n' })
  const refused = await checkout.git('push', 'origin', 'main').catch((error: unknown) => String(error))
  const removed = await checkout.git('push', 'origin', ':other')
  assert.match(
    typeof refused === 'string' ? refused : refused.stderr,
    /remote rejected\] main -> main \(the repositories of large exceed the storage quota of 2 MB\)/,
  )
  assert.match(removed.stderr, /\[deleted\]\s+other/)
})

test('a push of many megabytes past the storage quota is refused with the limit', async () => {
  const { user, token } = await host.addUser('huge')
  const { id } = await host.addRepository(user, 'tides')
  const checkout = await host.makeCheckout(host.gitUrl('huge/tides.git', token), { 'notes.txt': 'Notes\n' })
  await writeFile(join(checkout.dir, 'a.bin'), randomBytes(40_000_000))
  await checkout.commit({})
  await host.deps.store.quotas.setRepositorySize(id, QUOTAS.storageBytes)
  const { exitCode, stderr } = await checkout.git('push', 'origin', 'main')
  const reason = /remote rejected\] main -> main \((.+)\)/.exec(stderr)?.[1]
  assert.deepEqual([exitCode, reason], [1, 'the repositories of huge exceed the storage quota of 20 MB'])
})

test('a push larger than what is left of the storage quota is refused with the quota', async () => {
  const { user, token } = await host.addUser('nearly')
  const { id } = await host.addRepository(user, 'tides')
  const checkout = await host.makeCheckout(host.gitUrl('nearly/tides.git', token), { 'notes.txt': 'Notes\n' })
  await writeFile(join(checkout.dir, 'a.bin'), randomBytes(600_000))
  await checkout.commit({})
  await host.deps.store.quotas.setRepositorySize(id, QUOTAS.storageBytes - 300 * 1024)
  const { stderr } = await checkout.git('push', 'origin', 'main')
  assert.match(
    stderr,
    /remote rejected\] main -> main \(the push exceeds the storage quota of nearly: 300 kB of 20 MB are left\)/,
  )
})

test('uploads and imports larger than what is left of the storage quota are refused with the quota', async () => {
  const { user, token } = await host.addUser('tight')
  const source = await host.addRepository((await host.addUser('open')).user, 'source')
  const repository = await host.addRepository(user, 'tides')
  const address = host.gitUrl('open/source.git', await host.addToken(source.owner, ['repo:write']))
  const noise = randomBytes(600_000)
  const checkout = await host.makeCheckout(address, { 'notes.txt': 'Notes\n' })
  await writeFile(join(checkout.dir, 'a.bin'), noise)
  await checkout.commit({})
  await checkout.git('push', '--quiet', 'origin', 'main')
  const remote = host.gitUrl('tight/tides.git', token)
  const own = await host.makeCheckout(remote, { 'notes.txt': 'Notes\n' })
  await own.git('push', '--quiet', 'origin', 'main')
  const openedId = (await own.git('rev-parse', 'HEAD')).stdout.trim()
  await host.deps.store.quotas.setRepositorySize(repository.id, QUOTAS.storageBytes - 300 * 1024)
  const caller: Caller = { user, scopes: ['repo:write'], tokenId: null }
  const target = { repository, caller, branch: 'main', newBranch: null, openedId, message: 'Add a.bin' }
  const uploaded = await addFiles(host.deps, { ...target, replaces: false, files: new Map([['a.bin', noise]]) })
  const details = {
    owner: user,
    name: 'new',
    description: null,
    visibility: 'public',
    authorEmail: 'a@localhost',
  } as const
  const first = {
    changes: [{ kind: 'write', path: 'a.bin', bytes: noise, isExecutable: false }],
    message: 'Import',
  } as const
  const created = await createWithFiles(host.deps, { ...details, projectUrl: '' }, first)
  const imported = await importGit(host.deps, {
    details: { ...details, projectUrl: '' },
    address: `${host.origin}/open/source.git`,
    onStep: () => {},
    signal: AbortSignal.timeout(60_000),
  })
  const quota = 'the storage quota of tight: 300 kB of 20 MB are left'
  assert.deepEqual(
    [uploaded, created, imported],
    [
      { kind: 'refused', field: null, problem: `The commit exceeds ${quota}. Nothing was changed.` },
      { kind: 'refused', problem: `The files exceed ${quota}. No repository was created.` },
      { kind: 'refused', problem: `The repository exceeds ${quota}.` },
    ],
  )
})

test('a build without build minutes left fails with the reason and the time they return, and can be retried then', async () => {
  const { user, token } = await host.addUser('busy')
  const repository = await host.addRepository(user, 'tides')
  const { quotas, builds } = host.deps.store
  await quotas.setOverrides(user.id, { ...noOverrides, buildMinutes: 0 })
  const checkout = await host.makeCheckout(host.gitUrl('busy/tides.git', token), { 'main.tex': ARTICLE })
  const pushed = await checkout.git('push', 'origin', 'main')
  const page = await (await fetch(`${host.origin}/busy/tides/pdf/main`)).text()
  await quotas.setOverrides(user.id, noOverrides)
  const [refused] = await builds.list(repository.id, { limit: 1, offset: 0 })
  const outcome = await host.deps.papers.requestBuild({
    repository,
    ref: 'refs/heads/main',
    commitId: refused?.commitId ?? '',
  })
  await host.whenBuilt(repository.id)
  const [built] = await builds.list(repository.id, { limit: 1, offset: 0 })
  const words = /Build minutes used up: repositories owned by busy used 0 in 24 hours, and the limit is 0/
  assert.match(pushed.stderr, words)
  assert.match(page, words)
  assert.match(page, /Build again/)
  assert.deepEqual([refused?.state, refused?.startedAt, outcome, built?.state], ['failed', null, 'asked', 'succeeded'])
})
