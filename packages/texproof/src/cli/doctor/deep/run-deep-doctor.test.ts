import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { exampleNewBuild } from '../../../../test/support/example-build.ts'
import { initialCommit } from '../../../../test/support/git/git-repository.ts'
import { openPaperHost, type PaperHost } from '../../../../test/support/hosts/paper-host.ts'
import { deleteRepository, removeFromTrash } from '../../../operations/repository/delete-repository.ts'
import { createPdfStore, pdfPath } from '../../../papers/cache/pdf-store.ts'
import { erasePending, markPending } from '../../../papers/push/pending-repositories.ts'
import { lockDataDir } from '../../../store/sqlite/data-dir-lock.ts'
import { openDatabaseFile } from '../../../store/sqlite/database-file.ts'
import { checkPdfs } from './check-pdfs.ts'
import { checkRepositories } from './check-repositories.ts'
import { runDeepDoctor } from './run-deep-doctor.ts'

let host: PaperHost
let dataDir: string
let gitDir: string
let otherDir: string
let tidesId: number

before(async () => {
  host = await openPaperHost()
  dataDir = host.deps.config.dataDir
  const { user } = await host.addUser('alice')
  const tides = await host.addRepository(user, 'tides')
  const waves = await host.addRepository(user, 'waves')
  tidesId = tides.id
  gitDir = host.deps.git.gitDir(tides.id)
  otherDir = host.deps.git.gitDir(waves.id)
  await host.deps.git.createRepository(900, { defaultBranch: 'main', initialCommit: initialCommit({ a: 'a' }) })
})
after(() => host.close())

test('doctor --deep finds damage, plans its repair and repairs it, and then finds none', async () => {
  rmSync(host.deps.git.gitDir(900), { recursive: true })
  const good = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  const pdf = join(dataDir, 'cache/pdf/ab', `${'ab'.repeat(32)}.pdf`)
  const orphan = join(dataDir, 'repositories/01/257.git')
  const lock = join(gitDir, 'packed-refs.lock')
  const head = join(gitDir, 'HEAD')
  mkdirSync(join(dataDir, 'cache/pdf/ab'), { recursive: true })
  mkdirSync(orphan, { recursive: true })
  writeFileSync(pdf, 'no PDF of this name')
  writeFileSync(lock, '')
  writeFileSync(head, '')

  const found = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  const planned = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'plan')
  const untouched = readFileSync(head, 'utf8')
  const repaired = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'repair')

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
  assert.deepEqual(await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check'), good)
})

test('doctor --deep skips PDFs that the server removes in the meantime', async () => {
  const folder = join(dataDir, 'cache/pdf')
  const database = openDatabaseFile(join(dataDir, 'texproof.db'))
  const pdfs = createPdfStore(folder)
  for (let index = 0; index < 50; index += 1) await pdfs.add(Buffer.alloc(100_000, index))
  const checking = checkPdfs({ dataDir, database, bucket: null })
  // All of them are listed when the first is read.
  while (!isReading(folder)) await nextTurn()
  rmSync(folder, { recursive: true })
  assert.deepEqual(await checking, [])
  database.close()
})

/** Whether this process has a file of a folder open. */
function isReading(folder: string): boolean {
  return readdirSync('/proc/self/fd').some((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false // closed in the meantime
    }
  })
}

test('doctor --deep does not report a repository that was removed for good in the meantime', async () => {
  const { git, parsers } = host.deps
  const { user } = await host.addUser('carol')
  const repository = await host.addRepository(user, 'reefs')
  const database = openDatabaseFile(join(dataDir, 'texproof.db'))
  const lists = [database.listCheckedRepositories()]
  await deleteRepository(host.deps, { repository, actor: user })
  await removeFromTrash(host.deps, { owner: user, id: repository.id })
  const listCheckedRepositories = () => lists.pop() ?? database.listCheckedRepositories()
  const found = await checkRepositories({ dataDir, git, parsers, database: { ...database, listCheckedRepositories } })
  assert.deepEqual(
    found.filter(({ state }) => state === 'broken'),
    [],
  )
  database.close()
})

test('doctor --deep does not report a folder that is removed after folders were listed', async (t) => {
  const { git, parsers } = host.deps
  const orphan = git.gitDir(902)
  const database = openDatabaseFile(join(dataDir, 'texproof.db'))
  t.after(() => database.close())
  const listRepositoryIds = () => {
    rmSync(orphan, { recursive: true })
    return database.listRepositoryIds()
  }
  const changing = { ...database, listRepositoryIds }
  mkdirSync(orphan, { recursive: true })
  const found = await checkRepositories({ dataDir, git, parsers, database: changing })
  mkdirSync(orphan, { recursive: true })
  const readAgain = () => Promise.resolve(changing)
  const foundAgain = await checkRepositories({ dataDir, git, parsers, database, readAgain })
  const orphans = [...found, ...foundAgain].filter(({ message }) => message.startsWith(orphan))
  assert.deepEqual(orphans, [])
})

test('doctor --deep compares what differs from a copy of the database with a newer copy', async (t) => {
  const { git, parsers, store } = host.deps
  const { user } = await host.addUser('dora')
  const [copy, newer] = ['copy.db', 'newer.db'].map((name) => join(dataDir, name)) as [string, string]
  const removed = await host.addRepository(user, 'removed')
  await store.snapshot(copy)
  await deleteRepository(host.deps, { repository: removed, actor: user })
  await removeFromTrash(host.deps, { owner: user, id: removed.id })
  const added = await host.addRepository(user, 'added')
  const orphan = git.gitDir(901)
  mkdirSync(orphan, { recursive: true })
  const database = openDatabaseFile(copy)
  t.after(() => database.close())
  const readAgain = async () => {
    await store.snapshot(newer)
    const file = openDatabaseFile(newer)
    t.after(() => file.close())
    return file
  }
  const messages = async (again?: typeof readAgain) =>
    (await checkRepositories({ dataDir, git, parsers, database, readAgain: again })).map(({ message }) => message)
  const names = [`dora/removed: ${git.gitDir(removed.id)} no repository is there`]
  const folders = [git.gitDir(added.id), orphan].map((place) => `${place} belongs to no repository in the database`)
  assert.deepEqual(
    [(await messages()).toSorted(), await messages(readAgain)],
    [[...names, ...folders].toSorted(), [folders[1]]],
  )
  rmSync(orphan, { recursive: true })
  await deleteRepository(host.deps, { repository: added, actor: user })
  await removeFromTrash(host.deps, { owner: user, id: added.id })
})

test('doctor --deep names the branches and tags whose PDF is missing', async () => {
  const { builds } = host.deps.store
  // The refs do not exist: only PDFs are compared.
  const ids: number[] = []
  for (const ref of ['refs/heads/gone', 'refs/heads/gone', 'refs/tags/v1']) {
    const { id } = await builds.add(exampleNewBuild({ repositoryId: tidesId, ref }))
    const pdfId = createHash('sha256').update(String(ids.length)).digest('hex')
    await builds.finish(id, { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] })
    ids.push(id)
  }
  const pdfs = createPdfStore(join(dataDir, 'cache/pdf'))
  const missing = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  await markPending(dataDir, [tidesId])
  const restored = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  await erasePending(dataDir, tidesId)
  assert.deepEqual(
    [missing, restored].map((findings) => findings.map(({ remedy }) => remedy)),
    [
      ['Open the PDF page of each and request a build.'],
      ['The server builds them when it starts, or within a minute.'],
    ],
  )
  await pdfs.add(Buffer.from('1'))
  const fewer = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  await pdfs.add(Buffer.from('2'))
  const none = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  assert.deepEqual(
    [missing, fewer, none].map((findings) => findings.map(({ state, message }) => [state, message])),
    [
      [['weak', 'alice/tides: no PDF of refs/heads/gone, refs/tags/v1']],
      [['weak', 'alice/tides: no PDF of refs/tags/v1']],
      [['good', 'database, refs, objects and PDFs of 2 repositories agree']],
    ],
  )
})

test('doctor --deep does not report a PDF that a newer build has replaced since the copy of the database', async (t) => {
  const { builds } = host.deps.store
  const { user } = await host.addUser('erin')
  const repository = await host.addRepository(user, 'replaced')
  const [copy, newer] = ['replaced.db', 'replacing.db'].map((name) => join(dataDir, name)) as [string, string]
  const pdfs = createPdfStore(join(dataDir, 'cache/pdf'))
  const build = async (ref: string, pdfId: string): Promise<void> => {
    const { id } = await builds.add(exampleNewBuild({ repositoryId: repository.id, ref }))
    await builds.finish(id, { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] })
  }
  const lost = ['old', 'lost'].map((text) => createHash('sha256').update(text).digest('hex')) as [string, string]
  await build('refs/heads/main', lost[0])
  await build('refs/heads/lost', lost[1])
  await host.deps.store.snapshot(copy)
  await build('refs/heads/main', await pdfs.add(Buffer.from('new')))
  await host.deps.store.snapshot(newer)
  const open = (path: string) => {
    const database = openDatabaseFile(path)
    t.after(() => database.close())
    return database
  }
  const readAgain = async () => open(newer)
  const found = await checkPdfs({ dataDir, database: open(copy), readAgain, bucket: null })
  await deleteRepository(host.deps, { repository, actor: user })
  await removeFromTrash(host.deps, { owner: user, id: repository.id })
  assert.deepEqual(
    found.flatMap(({ message }) => (message.startsWith('erin/') ? [message] : [])),
    ['erin/replaced: no PDF of refs/heads/lost'],
  )
})

test('doctor --deep does not report the PDFs of branches and tags that ended', async () => {
  const { builds } = host.deps.store
  for (const ref of ['refs/heads/ended', 'refs/tags/ended']) {
    const { id, repositoryId } = await builds.add(exampleNewBuild({ repositoryId: tidesId, ref }))
    const pdfId = createHash('sha256').update(ref).digest('hex')
    await builds.finish(id, { state: 'succeeded', pdfId, pageCount: 1, errors: [], warnings: [], passes: [] })
    await builds.endBranch({ id, repositoryId, ref })
  }
  assert.deepEqual(
    (await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')).map(({ state }) => state),
    ['good'],
  )
})

test('doctor --deep does not take a PDF that cannot be read for a missing one', async () => {
  const path = pdfPath(join(dataDir, 'cache/pdf'), createHash('sha256').update('1').digest('hex'))
  const bytes = readFileSync(path)
  rmSync(path)
  symlinkSync(path, path)
  await assert.rejects(runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check'), { code: 'ELOOP' })
  rmSync(path)
  writeFileSync(path, bytes)
})

test('doctor --deep reports a damaged object with its repository, and a missing repository', async () => {
  mkdirSync(join(otherDir, 'objects/ab'))
  writeFileSync(join(otherDir, 'objects/ab', 'c'.repeat(38)), 'no object')
  rmSync(gitDir, { recursive: true })
  const found = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
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
  const [finding] = await runDeepDoctor({ dataDir: copy, databaseUrl: null, bucket: null }, 'check')
  assert.deepEqual(
    [finding?.state, finding?.message],
    ['broken', `${join(copy, 'texproof.db')} is damaged: file is not a database`],
  )
})

test('doctor --repair refuses while a server runs', async () => {
  const lock = lockDataDir(dataDir, { pid: 1, url: 'http://localhost' })
  try {
    await assert.rejects(runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'repair'), /a server is using/)
  } finally {
    lock?.release()
  }
})

test('doctor --deep names branches without a build, but not those without documents or built on demand', async () => {
  const { git, store } = host.deps
  const { user } = await host.addUser('bob')
  const { id } = await host.addRepository(user, 'reefs')
  const article = Buffer.from('\\documentclass{article}\\begin{document}a\\end{document}')
  const trees = {
    missed: { 'main.tex': article },
    words: { 'main.txt': article },
    asked: { 'main.tex': article, '.texproof.toml': Buffer.from('[build]\nauto = "demand"\n') },
  }
  const author = { name: 'Bob', email: 'bob@example.org', at: 1_700_000_000_000 }
  for (const [branch, files] of Object.entries(trees)) {
    const commit = { branch, from: null, files: new Map(Object.entries(files)), author, message: 'Add', tag: null }
    await git.importCommits(id, [commit])
    await store.builds.add(exampleNewBuild({ repositoryId: id, ref: `refs/heads/${branch}` }))
  }
  const found = await runDeepDoctor({ dataDir, databaseUrl: null, bucket: null }, 'check')
  assert.deepEqual(
    found.flatMap(({ check, message }) => (check === 'builds' ? [message] : [])),
    ['bob/reefs: the newest build is of another commit: refs/heads/missed'],
  )
})
