import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { restoreRepository } from '../../src/operations/repository/delete-repository.ts'
import { createShareLink } from '../../src/operations/repository/share-links.ts'
import { listPending, markPending } from '../../src/papers/push/pending-repositories.ts'
import { openPaperHost, type PaperHost } from '../support/hosts/paper-host.ts'
import { openWebClient } from '../support/web/web-client.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'

const ARTICLE = '\\documentclass{article}\n\\begin{document}\nText.\n\\end{document}\n'
/** A document that compiles for some seconds. */
const SLOW =
  '\\documentclass{article}\n\\begin{document}\n\\newcount\\n\\loop\\advance\\n by 1 \\hbox{\\number\\n}\\ifnum\\n<150000 \\setbox0\\hbox{x}\\repeat\n\\end{document}\n'

let host: PaperHost
let alice: Awaited<ReturnType<PaperHost['addUser']>>

before(async () => {
  host = await openPaperHost()
  alice = await host.addUser('alice')
})

after(() => host.close())

/** Starts a server process on the data directory; resolves to it and its origin. */
async function startServer(): Promise<{ server: ChildProcess; origin: string }> {
  const script = fileURLToPath(new URL('../support/hosts/serve-papers.ts', import.meta.url))
  const args = [
    '--conditions=texproof-source',
    '--disable-warning=ExperimentalWarning',
    script,
    host.deps.config.dataDir,
  ]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(server.stdout, 'data')) as [Buffer]
  return { server, origin: line.toString().trim() }
}

async function whenRunning(repositoryId: number): Promise<void> {
  await eventually(() => host.deps.store.builds.list(repositoryId, { limit: 10, offset: 0 }), {
    until: (builds) => builds.some(({ state }) => state === 'running'),
  })
}

test('after kill -9 during builds every branch head ends with its build', async () => {
  const repository = await host.addRepository(alice.user, 'killed')
  const { server, origin } = await startServer()
  const remote = `${origin.replace('://', `://git:${alice.token}@`)}/alice/killed.git`
  const checkout = await host.makeCheckout(remote, { 'main.tex': SLOW })
  const pushing = checkout.git('push', 'origin', 'main', 'main:refs/heads/a', 'main:refs/heads/b')
  await whenRunning(repository.id)
  server.kill('SIGKILL')
  await pushing

  await host.restart()
  await host.whenBuilt(repository.id)

  const heads = await host.deps.git.listBranches(repository.id)
  const states = []
  for (const { name, commitId } of heads) {
    const newest = await host.deps.store.builds.findNewest(repository.id, { ref: `refs/heads/${name}`, document: null })
    states.push([name, newest?.commitId === commitId, newest?.state])
  }
  assert.deepEqual(states, [
    ['a', true, 'succeeded'],
    ['b', true, 'succeeded'],
    ['main', true, 'succeeded'],
  ])
})

test('an unfinished push is completed at the next start, with its tags and its actor', async () => {
  const repository = await host.addRepository(alice.user, 'forgotten')
  const checkout = await host.makeCheckout(host.gitUrl('alice/forgotten.git', alice.token), { 'main.tex': ARTICLE })
  const { git, store } = host.deps
  // State after a crash between git and the database: refs have moved, the journal says so, no build exists.
  await checkout.git('tag', '--annotate', '--message=One', 'v1')
  const ids = (await checkout.git('rev-parse', 'main', 'v1')).stdout.trim().split('\n')
  const names = ['refs/heads/main', 'refs/tags/v1', 'refs/heads/refused']
  const updates = names.map((ref, at) => ({ ref, oldCommitId: null, newCommitId: ids[at] ?? ids[0] ?? '' }))
  await store.pushJournal.begin({ repositoryId: repository.id, userId: alice.user.id, updates })
  await checkout.git('push', git.gitDir(repository.id), 'main', 'v1')

  await host.restart()
  await whenQueued(repository.id)
  await host.whenBuilt(repository.id)
  await whenJournalIsEmpty()

  const builds = await host.deps.store.builds.list(repository.id, { limit: 10, offset: 0 })
  const noted = await host.deps.store.pushes.listByOthers([repository.id], { userId: '', limit: 10 })
  assert.deepEqual(
    [builds.map(({ ref, state }) => [ref, state]), noted.map(({ login, ref }) => [login, ref])],
    [
      [
        ['refs/tags/v1', 'succeeded'],
        ['refs/heads/main', 'succeeded'],
      ],
      [
        ['alice', 'refs/tags/v1'],
        ['alice', 'refs/heads/main'],
      ],
    ],
  )
})

test('share links of a branch whose deletion was not recorded are revoked at the next start, later ones are not', async () => {
  const { id: repositoryId } = await host.addRepository(alice.user, 'unshared')
  const checkout = await host.makeCheckout(host.gitUrl('alice/unshared.git', alice.token), { 'main.tex': ARTICLE })
  await checkout.git('push', 'origin', 'main', 'main:topic')
  await host.whenBuilt(repositoryId)
  const ref = 'refs/heads/topic'
  const share = () =>
    createShareLink(
      { store: host.deps.store, dataDir: host.deps.config.dataDir },
      { repositoryId, userId: alice.user.id, ref, document: null, expiresAt: null },
    )
  await share()
  const oldCommitId = (await checkout.git('rev-parse', 'main')).stdout.trim()
  // State after a crash between git and the database.
  const updates = [{ ref, oldCommitId, newCommitId: null }]
  const { createdAt } = await host.deps.store.pushJournal.begin({ repositoryId, userId: alice.user.id, updates })
  await host.deps.git.changeRefs(repositoryId, [{ ref, from: oldCommitId, to: null }])
  await eventually(() => Date.now() > createdAt)
  await share()

  await host.restart()
  await whenJournalIsEmpty()

  const links = await host.deps.store.shareLinks.listOfRepository(repositoryId)
  const events = await host.deps.store.events.list({
    userId: alice.user.id,
    kind: 'share-link-revoked',
    limit: 9,
    beforeId: null,
  })
  assert.deepEqual(
    [links.map(({ revokedAt }) => revokedAt === null), events.map(({ actor, detail }) => [actor, detail])],
    [[true, false], [['alice', `alice/unshared link ${links[1]?.id}`]]],
  )
})

test('a push that was not recorded when its repository was deleted is recorded when it is restored', async () => {
  const { id } = await host.addRepository(alice.user, 'binned')
  const checkout = await host.makeCheckout(host.gitUrl('alice/binned.git', alice.token), { 'main.tex': ARTICLE })
  const newCommitId = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const updates = [{ ref: 'refs/heads/main', oldCommitId: null, newCommitId }]
  // State after a crash between git and the database.
  await host.deps.store.pushJournal.begin({ repositoryId: id, userId: alice.user.id, updates })
  await checkout.git('push', host.deps.git.gitDir(id), 'main')
  await host.deps.store.repositories.trash(id)
  await host.restart()

  const { deps } = host
  const outcome = await restoreRepository(deps, { owner: alice.user, id })
  await whenJournalIsEmpty()
  const noted = await deps.store.pushes.listByOthers([id], { userId: '', limit: 10 })
  await host.whenBuilt(id)
  const builds = await deps.store.builds.list(id, { limit: 10, offset: 0 })
  assert.deepEqual(
    [outcome, noted.map((push) => push.newCommitId), builds.map(({ ref }) => ref)],
    ['restored', [newCommitId], ['refs/heads/main']],
  )
})

test('pushes that are recovered keep their times, and one that another push followed is recorded as well', async () => {
  const repository = await host.addRepository(alice.user, 'followed')
  const checkout = await host.makeCheckout('unused', { 'notes.txt': 'One.\n' })
  const { git, store } = host.deps
  const one = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const two = await checkout.commit({ 'notes.txt': 'Two.\n' })
  const ref = 'refs/heads/main'
  // State after a crash between git and the database, twice.
  const begin = (oldCommitId: string | null, newCommitId: string) =>
    store.pushJournal.begin({
      repositoryId: repository.id,
      userId: alice.user.id,
      updates: [
        { ref, oldCommitId, newCommitId },
        { ref: 'refs/heads/refused', oldCommitId: null, newCommitId },
      ],
    })
  const entries = [await begin(null, one), await begin(one, two)]
  await checkout.git('push', git.gitDir(repository.id), 'main')

  await host.restart()
  await whenJournalIsEmpty()

  const noted = await host.deps.store.pushes.listByOthers([repository.id], { userId: '', limit: 10 })
  const database = new DatabaseSync(join(host.deps.config.dataDir, 'texproof.db'), { readOnly: true })
  const row = database.prepare('select pushed_at from repository where id = ?').get(repository.id)
  database.close()
  assert.deepEqual(
    [noted.map(({ newCommitId, createdAt }) => [newCommitId, createdAt]), row?.['pushed_at']],
    [
      [
        [two, entries[1]?.createdAt],
        [one, entries[0]?.createdAt],
      ],
      entries[1]?.createdAt,
    ],
  )
})

test('a push whose ref another push moves before post-receive is recorded, and leaves the build to that push', async () => {
  const repository = await host.addRepository(alice.user, 'overtaken')
  const checkout = await host.makeCheckout('unused', { 'notes.txt': 'One.\n' })
  const { git, papers, store } = host.deps
  const one = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const two = await checkout.commit({ 'main.tex': ARTICLE })
  await checkout.git('push', git.gitDir(repository.id), `${two}:refs/heads/other`)
  const ref = 'refs/heads/main'
  const begin = (oldCommitId: string | null, newCommitId: string) => ({
    repositoryId: repository.id,
    userId: alice.user.id,
    updates: [{ ref, oldCommitId, newCommitId }],
  })

  const { queued } = await papers.moveRefs(begin(null, one), async () => {
    await git.changeRefs(repository.id, [{ ref, from: null, to: one }])
    const later = await store.pushJournal.begin(begin(one, two))
    await git.changeRefs(repository.id, [{ ref, from: one, to: two }])
    await store.pushJournal.finish(later, later.updates)
  })

  const noted = await store.pushes.listByOthers([repository.id], { userId: '', limit: 10 })
  assert.deepEqual(
    [noted.map(({ newCommitId }) => newCommitId).toSorted(), queued, await store.pushJournal.list()],
    [[one, two].toSorted(), [], []],
  )
})

test('a push that is recorded again after its entry was removed is listed once', async () => {
  const { id: repositoryId } = await host.addRepository(alice.user, 'once')
  const { pushJournal, pushes } = host.deps.store
  const updates = [{ ref: 'refs/heads/main', oldCommitId: null, newCommitId: 'a'.repeat(40) }]
  const entry = await pushJournal.begin({ repositoryId, userId: alice.user.id, updates })
  await pushJournal.finish(entry, updates)
  await pushJournal.finish(entry, updates)
  const noted = await pushes.listByOthers([repositoryId], { userId: '', limit: 10 })
  assert.deepEqual(
    noted.map(({ ref }) => ref),
    ['refs/heads/main'],
  )
})

test('a push whose repository cannot be measured is complete, and the fault is in the log', async (t) => {
  const { id } = await host.addRepository(alice.user, 'unmeasured')
  const checkout = await host.makeCheckout(host.gitUrl('alice/unmeasured.git', alice.token), { 'main.tex': ARTICLE })
  t.mock.method(host.deps.git, 'measure', () => Promise.reject(new Error('too many open files')))
  const logged = host.logged().length
  await checkout.git('push', 'origin', 'main')
  await host.whenBuilt(id)
  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  const messages = host
    .logged()
    .slice(logged)
    .match(/"msg":"(?:measure|post-receive)[^"]*"/g)
  assert.deepEqual(
    [builds.map(({ state }) => state), messages],
    [['succeeded'], ['"msg":"measure the size of a repository"']],
  )
})

test('a push whose documents take long to find leaves the build to a later push of its branch', async (t) => {
  const repository = await host.addRepository(alice.user, 'outrun')
  const checkout = await host.makeCheckout('unused', { 'main.tex': ARTICLE })
  const { git, papers, store } = host.deps
  const one = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const two = await checkout.commit({ 'main.tex': ARTICLE.replace('end{', ' end{') })
  await checkout.git('push', git.gitDir(repository.id), `${two}:refs/heads/other`)
  const ref = 'refs/heads/main'
  const push = (oldCommitId: string | null, newCommitId: string) =>
    papers.moveRefs(
      { repositoryId: repository.id, userId: alice.user.id, updates: [{ ref, oldCommitId, newCommitId }] },
      () => git.changeRefs(repository.id, [{ ref, from: oldCommitId, to: newCommitId }]),
    )
  const looks = Promise.withResolvers<void>()
  const isFound = Promise.withResolvers<void>()
  const readFileList = git.readFileList.bind(git)
  t.mock.method(git, 'readFileList', async (repositoryId: number, commitId: string) => {
    if (commitId === one) {
      looks.resolve()
      await isFound.promise
    }
    return readFileList(repositoryId, commitId)
  })

  const slow = push(null, one)
  await looks.promise
  await push(one, two)
  isFound.resolve()
  const { queued } = await slow

  const newest = await store.builds.findNewest(repository.id, { ref, document: null })
  assert.deepEqual([newest?.commitId, queued], [two, []])
})

test('a start removes partial files of the cache, and no other', async () => {
  const folder = join(host.deps.config.dataDir, 'cache/pdf/zz')
  await mkdir(folder, { recursive: true })
  for (const name of ['a.pdf.x.part', 'b.pdf']) await writeFile(join(folder, name), '%PDF-')
  await host.restart()
  await eventually(() => readdir(folder), { until: (names) => names.length < 2 })
  assert.deepEqual(await readdir(folder), ['b.pdf'])
  await rm(folder, { recursive: true })
})

test('missing builds of a restored backup are queued at the next start', async () => {
  const repository = await host.addRepository(alice.user, 'restored')
  const checkout = await host.makeCheckout('unused', { 'main.tex': ARTICLE })
  await checkout.git('push', host.deps.git.gitDir(repository.id), 'main')
  await markPending(host.deps.config.dataDir, [repository.id])

  await host.restart()
  await whenQueued(repository.id)
  await host.whenBuilt(repository.id)

  const builds = await host.deps.store.builds.list(repository.id, { limit: 10, offset: 0 })
  assert.deepEqual(
    builds.map(({ ref, state }) => [ref, state]),
    [['refs/heads/main', 'succeeded']],
  )
})

test('missing builds of a disabled repository are queued once it is enabled, however long that takes', async () => {
  const { dataDir } = host.deps.config
  const { id } = await host.addRepository(alice.user, 'disabled')
  const checkout = await host.makeCheckout('unused', { 'main.tex': ARTICLE })
  await checkout.git('push', host.deps.git.gitDir(id), 'main')
  await host.deps.store.repositories.change(id, { isDisabled: true, disabledReason: 'Under review' })
  await markPending(dataDir, [id])
  // The start removes partial files of the cache after it has looked at the marks.
  const folder = join(dataDir, 'cache/pdf/yy')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'a.pdf.x.part'), '%PDF-')
  await host.restart()
  await eventually(() => readdir(folder), { until: (names) => names.length === 0 })
  const before = [await listPending(dataDir), await host.deps.store.builds.count(id)]

  await host.deps.store.repositories.change(id, { isDisabled: false, disabledReason: null })
  await host.restart()
  await whenQueued(id)
  await host.whenBuilt(id)

  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  assert.deepEqual([before, builds.map(({ state }) => state)], [[[id], 0], ['succeeded']])
})

test('a crash while a repository is being restored from the trash loses no builds, however long that takes', async () => {
  const { dataDir } = host.deps.config
  const { id } = await host.addRepository(alice.user, 'trashed')
  const checkout = await host.makeCheckout('unused', { 'main.tex': ARTICLE })
  await checkout.git('push', host.deps.git.gitDir(id), 'main')
  await host.deps.store.repositories.trash(id)
  await markPending(dataDir, [id])
  const folder = join(dataDir, 'cache/pdf/zz')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'a.pdf.x.part'), '%PDF-')
  await host.restart()
  await eventually(() => readdir(folder), { until: (names) => names.length === 0 })
  const during = await listPending(dataDir)

  await host.deps.store.repositories.restore(id, alice.user, { repositories: 100 })
  await host.restart()
  await whenQueued(id)
  await host.whenBuilt(id)

  const builds = await host.deps.store.builds.list(id, { limit: 10, offset: 0 })
  assert.deepEqual([during, builds.map(({ state }) => state)], [[id], ['succeeded']])
})

test('a refused restoration from the trash leaves no work for the server', async () => {
  const { config, store } = host.deps
  const { id } = await host.addRepository(alice.user, 'twice')
  await store.repositories.trash(id)
  await host.addRepository(alice.user, 'twice')

  const outcome = await restoreRepository(host.deps, { owner: alice.user, id })

  assert.deepEqual([outcome, (await listPending(config.dataDir)).includes(id)], ['name-taken', false])
})

async function whenJournalIsEmpty(): Promise<void> {
  await eventually(() => host.deps.store.pushJournal.list(), { until: (entries) => entries.length === 0 })
}

async function whenQueued(repositoryId: number): Promise<void> {
  await eventually(() => host.deps.store.builds.count(repositoryId))
}

test('reading a PDF missing from the cache queues no build; a button on its page does', async () => {
  const repository = await host.addRepository(alice.user, 'lost')
  const checkout = await host.makeCheckout(host.gitUrl('alice/lost.git', alice.token), { 'main.tex': ARTICLE })
  await checkout.git('push', 'origin', 'main')
  const [build] = await host.deps.store.builds.list(repository.id, { limit: 1, offset: 0 })
  const file = await host.deps.papers.findPdfFile(build?.pdfId ?? '')
  await rm(file?.path ?? '')
  const client = openWebClient(host.origin)

  const lost = await client.get('/alice/lost/pdf/main.pdf')
  const page = await client.get('/alice/lost/pdf/main')
  const countBefore = await host.deps.store.builds.count(repository.id)
  const asked = await client.submit('/alice/lost/pdf/main', '/alice/lost/builds', { ref: 'main' })
  await host.whenBuilt(repository.id)
  const found = await client.get('/alice/lost/pdf/main.pdf')

  assert.deepEqual(
    [lost.status, /Build again/.test(page.text), countBefore, asked.status, found.status],
    [404, true, 1, 303, 200],
  )
})

test('an edit of a built document needs one pass, starting from the aux files of the last build', async () => {
  const repository = await host.addRepository(alice.user, 'seeded')
  const paper = (text: string): string =>
    `\\documentclass{article}\n\\begin{document}\n\\tableofcontents\n\\section{One}\\label{a}\n${text} See \\ref{a}.\n\\end{document}\n`
  const checkout = await host.makeCheckout(host.gitUrl('alice/seeded.git', alice.token), {
    'main.tex': paper('First.'),
  })
  await checkout.git('push', 'origin', 'main')
  await checkout.commit({ 'main.tex': paper('Second.') })
  await checkout.git('push', 'origin', 'main')
  const builds = await host.deps.store.builds.list(repository.id, { limit: 2, offset: 0 })
  const passes = await Promise.all(builds.map(async ({ id }) => (await host.deps.store.builds.find(id))?.passes.length))
  assert.deepEqual(passes, [1, 2])
})

test('many repositories pushed at once are all built, none twice', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `crowd-${at}`)
  const repositories = []
  for (const name of names) repositories.push(await host.addRepository(alice.user, name))
  const checkout = await host.makeCheckout('unused', { 'main.tex': ARTICLE })
  await Promise.all(names.map((name) => checkout.git('push', host.gitUrl(`alice/${name}.git`, alice.token), 'main')))
  for (const { id } of repositories) await host.whenBuilt(id)
  const built = []
  for (const { id } of repositories)
    built.push((await host.deps.store.builds.list(id, { limit: 10, offset: 0 })).map(({ state }) => state))
  assert.deepEqual(
    built,
    names.map(() => ['succeeded']),
  )
})

test('a new branch whose file is empty after a power failure can be pushed again after the next start', async () => {
  const repository = await host.addRepository(alice.user, 'torn')
  const checkout = await host.makeCheckout(host.gitUrl('alice/torn.git', alice.token), { 'notes.txt': 'Text.\n' })
  await checkout.git('push', 'origin', 'main')
  const [main] = await host.deps.git.listBranches(repository.id)
  await host.deps.store.pushJournal.begin({
    repositoryId: repository.id,
    userId: alice.user.id,
    updates: [{ ref: 'refs/heads/topic', oldCommitId: null, newCommitId: main?.commitId ?? '' }],
  })
  await writeFile(join(host.deps.git.gitDir(repository.id), 'refs/heads/topic'), '')

  await host.restart()
  await eventually(() => host.deps.store.pushJournal.list(), { until: (entries) => entries.length === 0 })
  const pushed = await checkout.git('push', 'origin', 'main:topic')

  assert.deepEqual(
    [pushed.exitCode, (await host.deps.git.listBranches(repository.id)).map(({ name }) => name)],
    [0, ['main', 'topic']],
  )
})

test('a branch that names a missing commit stays in the journal until it has its old commit again', async () => {
  const repository = await host.addRepository(alice.user, 'dangling')
  const checkout = await host.makeCheckout(host.gitUrl('alice/dangling.git', alice.token), { 'notes.txt': 'Text.\n' })
  await checkout.git('push', 'origin', 'main')
  // Otherwise, the packing that follows a push could remove the file written below.
  await host.deps.git.maintain(repository.id)
  const oldCommitId = (await checkout.git('rev-parse', 'main')).stdout.trim()
  const newCommitId = 'a'.repeat(40)
  const updates = [{ ref: 'refs/heads/main', oldCommitId, newCommitId }]
  await host.deps.store.pushJournal.begin({ repositoryId: repository.id, userId: alice.user.id, updates })
  const file = join(host.deps.git.gitDir(repository.id), 'refs/heads/main')
  await writeFile(file, `${newCommitId}\n`)
  // A folder in the place of the lock, so that the start does not remove it.
  await mkdir(`${file}.lock/full`, { recursive: true })

  const logged = host.logged().length
  await host.restart()
  await eventually(() => host.logged().slice(logged), { until: (text) => text.includes('post-receive failed') })
  const isOpen = (await host.deps.store.pushJournal.list()).length
  await rm(`${file}.lock`, { recursive: true })
  await whenJournalIsEmpty()

  const branches = await host.deps.git.listBranches(repository.id)
  const pushes = await host.deps.store.pushes.listByOthers([repository.id], { userId: '', limit: 10 })
  assert.deepEqual(
    [isOpen, branches.map(({ name, commitId }) => [name, commitId]), pushes.map((push) => push.newCommitId)],
    [1, [['main', oldCommitId]], [oldCommitId]],
  )
})
