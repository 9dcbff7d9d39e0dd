import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'

import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import type { Repository, User } from '../../domain/types.ts'
import { repositoryPath } from '../../git/admin/repository-path.ts'
import { createRepository } from './create-repository.ts'
import { noOverrides } from '../../domain/quota-fields.ts'
import {
  deleteRepository,
  emptyTrash,
  removeFromTrash,
  removeUnpushed,
  restoreRepository,
} from './delete-repository.ts'
import { renameRepository } from './rename-repository.ts'
import { removeUnfinishedRepositories } from './remove-unfinished.ts'

let host: PaperHost
let owner: User

before(async () => {
  host = await openPaperHost()
  owner = (await host.addUser('alice')).user
})

after(() => host.close())

function makeAgain(name: string): ReturnType<typeof createRepository> {
  const details = { visibility: 'public', description: null, firstCommit: null } as const
  return createRepository(host.deps, { owner, name, ...details, authorEmail: 'alice@localhost', projectUrl: '' })
}

async function deletedOne(name: string): Promise<Repository> {
  const repository = await host.addRepository(owner, name)
  await deleteRepository(host.deps, { repository, actor: owner })
  return repository
}

test('a repository that is deleted while it is renamed reserves neither name', async () => {
  const repository = await deletedOne('first')
  const outcome = await renameRepository(host.deps, { repository, actor: owner }, 'second')
  const kinds = [outcome, (await makeAgain('first')).kind, (await makeAgain('second')).kind]
  assert.deepEqual(kinds, ['gone', 'created', 'created'])
})

test('of two concurrent renames, both earlier names redirect to the final one', async () => {
  const repository = await host.addRepository(owner, 'one')
  for (const name of ['two', 'three']) await renameRepository(host.deps, { repository, actor: owner }, name)
  const { repositories } = host.deps.store
  const found = await Promise.all(['one', 'two'].map((name) => repositories.findByFormerName('alice', name)))
  assert.deepEqual(
    found.map((each) => each?.name),
    ['three', 'three'],
  )
})

test('the earlier name of a repository no longer redirects to it once another repository had that name', async () => {
  const repository = await host.addRepository(owner, 'ebb-tide')
  await renameRepository(host.deps, { repository, actor: owner }, 'low-tide')
  assert.equal((await makeAgain('ebb-tide')).kind, 'created')
  const { repositories } = host.deps.store
  const other = await repositories.findByName('alice', 'ebb-tide')
  assert.ok(other !== null)
  await deleteRepository(host.deps, { repository: other, actor: owner })
  assert.equal(await repositories.findByFormerName('alice', 'ebb-tide'), null)
})

test('of many concurrent requests to restore and to remove a repository, one succeeds', async () => {
  const { id } = await deletedOne('tides')
  const many = Array.from({ length: 4 })
  const restored = many.map(async () => (await restoreRepository(host.deps, { owner, id })) === 'restored')
  const removed = many.map(() => removeFromTrash(host.deps, { owner, id }))
  const [isRestored, isRemoved] = [await Promise.all(restored), await Promise.all(removed)]
  const isThere = (await host.deps.store.repositories.findByName('alice', 'tides')) !== null
  assert.deepEqual(
    [[...isRestored, ...isRemoved].filter(Boolean), isThere, await host.deps.git.hasRepository(id)],
    [[true], isRestored.includes(true), isRestored.includes(true)],
  )
})

test('a repository is not restored beyond the quota of its owner', async () => {
  const { id } = await deletedOne('beyond')
  const { repositoryCount } = await host.deps.store.quotas.measureOwned(owner.id)
  await host.deps.store.quotas.setOverrides(owner.id, { ...noOverrides, repositories: repositoryCount })
  const refused = await restoreRepository(host.deps, { owner, id })
  await host.deps.store.quotas.setOverrides(owner.id, noOverrides)
  assert.deepEqual([refused, await restoreRepository(host.deps, { owner, id })], ['over-quota', 'restored'])
})

test('repositories restored at once do not exceed the quota of their owner', async () => {
  const deleted = [await deletedOne('ebb'), await deletedOne('flow')]
  const { repositoryCount } = await host.deps.store.quotas.measureOwned(owner.id)
  await host.deps.store.quotas.setOverrides(owner.id, { ...noOverrides, repositories: repositoryCount + 1 })
  const outcomes = await Promise.all(deleted.map(({ id }) => restoreRepository(host.deps, { owner, id })))
  await host.deps.store.quotas.setOverrides(owner.id, noOverrides)
  assert.deepEqual(outcomes.toSorted(), ['over-quota', 'restored'])
})

test('an unpushed repository is not removed while a push of it is in progress', async () => {
  const { pushJournal, repositories } = host.deps.store
  const { id } = await host.addRepository(owner, 'unpushed')
  const entry = await pushJournal.begin({ repositoryId: id, userId: owner.id, updates: [] })
  await removeUnpushed(host.deps, { id })
  const during = await repositories.findState(id)
  await pushJournal.finish(entry, [])
  await removeUnpushed(host.deps, { id })
  assert.deepEqual(
    [during, await repositories.findState(id), existsSync(host.deps.git.gitDir(id))],
    ['ready', null, false],
  )
})

test('a repository whose only branch was deleted again is not removed as unpushed', async () => {
  const { pushJournal, repositories } = host.deps.store
  const { id } = await host.addRepository(owner, 'pushed')
  const update = { ref: 'refs/heads/main', oldCommitId: null, newCommitId: '1'.repeat(40) }
  const entry = await pushJournal.begin({ repositoryId: id, userId: owner.id, updates: [update] })
  await pushJournal.finish(entry, [update])
  await removeUnpushed(host.deps, { id })
  assert.equal(await repositories.findState(id), 'ready')
})

test('a sweep completes a removal that stopped before the directory was deleted', async () => {
  const { id } = await deletedOne('waves')
  const { git, store } = host.deps
  await store.repositories.giveUpTrashed(id)
  assert.deepEqual(await restoreRepository(host.deps, { owner, id }), 'gone')
  assert.deepEqual([await removeUnfinishedRepositories(host.deps), await git.hasRepository(id)], [1, false])
  assert.equal(await removeUnfinishedRepositories(host.deps), 0)
})

/** Makes the folder of a repository unreadable; returns the function that undoes it. */
async function breakFolderOf({ id }: Repository): Promise<() => Promise<void>> {
  const folder = dirname(repositoryPath(join(host.deps.config.dataDir, 'repositories'), id))
  await rename(folder, `${folder}-aside`)
  await symlink(folder, folder)
  return async () => {
    await rm(folder)
    await rename(`${folder}-aside`, folder)
  }
}

for (const [title, removeAll] of [
  ['a sweep', () => removeUnfinishedRepositories(host.deps)],
  ['emptying the trash', () => emptyTrash(host.deps, { olderThanMs: -1 })],
] as const)
  test(`${title} removes the other repositories if one cannot be removed, and that one later`, async () => {
    await emptyTrash(host.deps, { olderThanMs: -1 }) // of other tests
    const deleted = [await deletedOne('damaged'), await deletedOne('good')] as const
    const { git, store } = host.deps
    if (title === 'a sweep') for (const { id } of deleted) await store.repositories.giveUpTrashed(id)
    const restore = await breakFolderOf(deleted[0])
    await assert.rejects(removeAll(), { message: 'cannot remove 1 of 2 repositories' })
    await restore()
    const find = () => Promise.all(deleted.map(({ id }) => git.hasRepository(id)))
    const before = await find()
    await removeUnfinishedRepositories(host.deps)
    assert.deepEqual(
      [before, await find()],
      [
        [true, false],
        [false, false],
      ],
    )
  })

test('a repository that is removed for good leaves no file of its builds, except a PDF that another one has', async () => {
  const { token } = await host.addUser('bob')
  const user = await host.deps.store.users.findByLogin('bob')
  assert.ok(user !== null)
  const article = (text: string): string => `\\documentclass{article}\\begin{document}${text}\\end{document}\n`
  const push = async (name: string, files: Readonly<Record<string, string>>): Promise<Repository> => {
    const repository = await host.addRepository(user, name)
    const checkout = await host.makeCheckout(host.gitUrl(`bob/${name}.git`, token), files)
    await checkout.git('push', 'origin', 'main')
    await host.whenBuilt(repository.id)
    return repository
  }
  const removed = await push('removed', { 'main.tex': article('Tides'), 'other.tex': article('Own') })
  await push('kept', { 'main.tex': article('Tides') })
  const { papers, store } = host.deps
  const builds = await store.builds.list(removed.id, { limit: 10, offset: 0 })
  const listFiles = async (): Promise<readonly unknown[]> => {
    const cacheDir = join(host.deps.config.dataDir, 'cache/builds')
    const folders = await Promise.all(['aux', 'synctex'].map((kind) => readdir(join(cacheDir, kind))))
    const rest = folders.map((names) => names.includes(String(removed.id)))
    const found = builds.map(async ({ id, pdfId, document }) => [
      document,
      existsSync(join(cacheDir, 'logs', String(id % 100), `${id}.br`)),
      (await papers.findPdfFile(pdfId ?? '')) !== null,
    ])
    return [rest, (await Promise.all(found)).toSorted()]
  }
  const filesBefore = await listFiles()
  await deleteRepository(host.deps, { repository: removed, actor: user })
  await removeFromTrash(host.deps, { owner: user, id: removed.id })
  assert.deepEqual(
    [filesBefore, await listFiles()],
    [
      [
        [true, true],
        [
          ['main', true, true],
          ['other', true, true],
        ],
      ],
      [
        [false, false],
        [
          ['main', false, true],
          ['other', false, false],
        ],
      ],
    ],
  )
})
