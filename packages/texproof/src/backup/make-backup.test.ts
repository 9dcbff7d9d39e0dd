import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'

import { isOnPostgres } from '../../test/support/database/test-database.ts'
import { exampleNewBuild } from '../../test/support/example-build.ts'
import { openApiHost } from '../../test/support/hosts/api-host.ts'
import type { ApiHost } from '../../test/support/hosts/api-host.ts'
import { git } from '../../test/support/git/git-repository.ts'
import { makeFolder } from '../../test/support/make-folder.ts'
import { lockDataDir } from '../store/sqlite/data-dir-lock.ts'
import { isDatabaseInUse } from '../store/sqlite/is-database-in-use.ts'
import { StoreFull } from '../store/sqlite/store-errors.ts'
import { openStore, type Store } from '../store/store.ts'
import { backUpInWorker } from './back-up-in-worker.ts'
import { findBackupRecord, noteBackup } from './last-backup.ts'
import { keepNewest, listBackups } from './list-backups.ts'
import { makeBackup } from './make-backup.ts'
import { planRestore, restoreBackup } from './restore-backup.ts'
import { verifyBackup } from './verify-backup.ts'

const folder = makeFolder({ after })
const pdfId = 'ab'.repeat(32)
let host: ApiHost
let token: string
let gitDir: string

before(async () => {
  host = await openApiHost()
  const alice = await host.addUser('alice')
  token = alice.token
  const tides = await host.addRepository(alice.user, 'tides', { autoInit: true })
  await host.addRepository(alice.user, 'empty')
  gitDir = host.git.gitDir(tides.id)
  git(gitDir, ['tag', '-a', '-m', 'One', 'v1', 'main'])
  const expiresAt = Date.now() + 86_400_000
  await host.store.sessions.add({ userId: alice.user.id, hash: 'f'.repeat(64), address: '', agent: '', expiresAt })
  const code = { userId: alice.user.id, email: null, createdBy: null, expiresAt }
  await host.store.codes.add({ ...code, hash: 'e'.repeat(64), purpose: 'invite' })
  await host.store.codes.add({ ...code, hash: 'c'.repeat(64), purpose: 'coauthor' })
  await host.store.codes.add({ ...code, hash: 'd'.repeat(64), purpose: 'reset' })
  writeFileSync(join(host.dataDir, 'sealing.key'), `${'0'.repeat(64)}\n`, { mode: 0o600 })
  writeFileSync(join(host.dataDir, 'texproof.toml'), 'name = "Papers"\n')
  mkdirSync(join(host.dataDir, 'cache/pdf/ab'), { recursive: true })
  writeFileSync(join(host.dataDir, `cache/pdf/ab/${pdfId}.pdf`), '%PDF-')
})
after(() => host.close())

function make(name: string, options: Partial<Parameters<typeof makeBackup>[1]> = {}) {
  return makeBackup(host, { target: join(folder, name), pdfs: 'of-tags', ...options })
}

test('a backup is a tar file that only its owner can read, whose hashes sha256sum checks', async () => {
  const { path, repositories, damaged } = await make('whole.tar', { pdfs: 'all' })
  const unpacked = join(folder, 'unpacked')
  mkdirSync(unpacked)
  execFileSync('tar', ['-xf', path, '-C', unpacked])
  const checked = execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: unpacked })
  assert.deepEqual(
    [statSync(path).mode & 0o777, repositories, damaged, checked.toString(), readdirSync(unpacked).toSorted()],
    [
      0o600,
      2,
      [],
      '',
      ['SHA256SUMS', 'cache', 'repositories', 'sealing.key', 'texproof-backup.json', 'texproof.db', 'texproof.toml'],
    ],
  )
})

test('a backup leaves no other files, and never overwrites a backup', async () => {
  await make('alone/one.tar')
  await assert.rejects(make('alone/one.tar'), { code: 'BACKUP', message: `${join(folder, 'alone/one.tar')} exists` })
  assert.deepEqual(
    [readdirSync(join(folder, 'alone')), readdirSync(join(host.dataDir, 'tmp')).filter((name) => name !== 'pushes')],
    [['one.tar'], []],
  )
})

test('a backup into a folder that cannot be created fails with a remedy', async () => {
  await assert.rejects(make('', { target: '/proc/texproof/host.tar' }), {
    message: '/proc/texproof does not exist and cannot be created',
    remedy: 'Mount its disk, or choose another folder.',
  })
})

test('a backup whose copy of the database does not fit on the disk fails with a remedy', async () => {
  const snapshot = (): Promise<void> => Promise.reject(new StoreFull({ cause: null }))
  const target = join(folder, 'large.tar')
  await assert.rejects(makeBackup({ ...host, store: { ...host.store, snapshot } }, { target, pdfs: 'of-tags' }), {
    message: `the disk of ${target} or of the data directory is full`,
    remedy: 'Free up space, or choose a folder on another disk. The unfinished backup was removed.',
  })
})

test('a backup that is stopped leaves nothing', async () => {
  const stop = new AbortController()
  const stopped = make('stopped/one.tar', { signal: stop.signal, onProgress: () => stop.abort() })
  await assert.rejects(stopped, { name: 'AbortError' })
  assert.deepEqual([readdirSync(join(folder, 'stopped')), readdirSync(join(host.dataDir, 'tmp'))], [[], []])
})

test('a backup is verified by opening everything in it', async () => {
  const { path, createdAt } = await make('verified.tar')
  const { counts, damaged, createdAt: saidAt } = await verifyBackup(path)
  assert.deepEqual([counts, damaged, saidAt], [{ users: 1, repositories: 2, tokens: 1 }, [], createdAt])
})

test('a repository that lacks an object is backed up as it is, and reported', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id } = await other.addRepository(user, 'torn', { autoInit: true })
    const blob = git(other.git.gitDir(id), ['rev-parse', 'main:README.md'])
    rmSync(join(other.git.gitDir(id), 'objects', blob.slice(0, 2), blob.slice(2)))
    const { damaged, path } = await makeBackup(other, { target: join(folder, 'torn.tar'), pdfs: 'of-tags' })
    const { damaged: verified } = await verifyBackup(path)
    assert.deepEqual(
      [damaged, verified].map((each) => each.map(({ fullName }) => fullName)),
      [['bob/torn'], ['bob/torn']],
    )
  } finally {
    await other.close()
  }
})

test('a backup with a damaged repository is recorded as failed', async () => {
  const damaged = [{ fullName: 'bob/torn', damage: 'objects/ab/cd is missing' }]
  await noteBackup(host.store, { createdAt: 2, path: '/backups/torn.tar', sizeBytes: 1, damaged })
  assert.deepEqual(await findBackupRecord(host.store), {
    last: { at: 2, path: '/backups/torn.tar', sizeBytes: 1 },
    isLastGone: true,
    failed: { at: 2, reason: 'bob/torn is damaged: objects/ab/cd is missing. Restore it from an earlier backup.' },
  })
})

test('a scheduled backup does not upgrade the database of its server after the program was updated', async (t) => {
  const dataDir = join(folder, 'older')
  await (await openStore({ dataDir })).close()
  const database = new DatabaseSync(join(dataDir, 'texproof.db'))
  database.exec('delete from kysely_migration where name = (select max(name) from kysely_migration)')
  database.close()
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'http://localhost' })
  t.after(() => lock?.release())
  const job = { dataDir, databaseUrl: null, bucket: null, target: join(folder, 'older.tar'), isIncremental: false }
  assert.deepEqual(await backUpInWorker(job, new AbortController().signal), {
    kind: 'failed',
    reason: 'Texproof was updated while this server was running. Restart the server: backups fail until then.',
  })
})

test('a backup reports the file of every damaged object, loose or packed', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const files: string[] = []
    for (const name of ['loose', 'packed']) {
      const { id } = await other.addRepository(user, name, { autoInit: true })
      const folder = other.git.gitDir(id)
      const blob = git(folder, ['rev-parse', 'main:README.md'])
      if (name === 'packed') git(folder, ['repack', '-a', '-d', '-q'])
      const packs = readdirSync(join(folder, 'objects/pack')).filter((file) => file.endsWith('.pack'))
      const file = name === 'loose' ? `objects/${blob.slice(0, 2)}/${blob.slice(2)}` : `objects/pack/${packs[0]}`
      files.push(join(folder, file))
    }
    for (const file of files) {
      const bytes = readFileSync(file)
      const middle = bytes.length >> 1
      bytes[middle] = (bytes[middle] ?? 0) ^ 0xff
      rmSync(file)
      writeFileSync(file, bytes)
    }
    const { damaged } = await makeBackup(other, { target: join(folder, 'rotten.tar'), pdfs: 'of-tags' })
    assert.deepEqual(
      damaged.filter(({ damage }) => damage.endsWith('the content does not match its checksum')),
      [
        { fullName: 'bob/loose', damage: `${files[0]}: the content does not match its checksum` },
        { fullName: 'bob/packed', damage: `${files[1]}: the content does not match its checksum` },
      ],
    )
  } finally {
    await other.close()
  }
})

test('a repository that is removed during the backup is neither in its database nor in its files', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const first = await other.addRepository(user, 'first')
    const second = await other.addRepository(user, 'second', { autoInit: true })
    const store = {
      ...other.store,
      async snapshot(path: string) {
        await other.store.snapshot(path)
        await other.store.repositories.remove(second.id)
        await other.git.removeRepository(second.id)
      },
    }
    const target = join(folder, 'removed.tar')
    const { repositories } = await makeBackup({ dataDir: other.dataDir, store }, { target, pdfs: 'of-tags' })
    const { counts, damaged } = await verifyBackup(target)
    assert.deepEqual([first.id < second.id, repositories, counts.repositories, damaged], [true, 1, 1, []])
  } finally {
    await other.close()
  }
})

test('a repository whose directory is missing is reported as damaged, and stays in the database of the backup', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    await other.addRepository(user, 'kept', { autoInit: true })
    const { id } = await other.addRepository(user, 'lost', { autoInit: true })
    rmSync(other.git.gitDir(id), { recursive: true })
    const { damaged, path } = await makeBackup(other, { target: join(folder, 'lost.tar'), pdfs: 'of-tags' })
    const { counts, damaged: verified } = await verifyBackup(path)
    assert.deepEqual(
      [damaged, verified.map(({ fullName }) => fullName), counts.repositories],
      [[{ fullName: 'bob/lost', damage: `${other.git.gitDir(id)} is missing` }], ['bob/lost'], 2],
    )
  } finally {
    await other.close()
  }
})

test('a restored host has its tokens, invitations, keys, settings and refs, but no sessions', async () => {
  const { path } = await make('restored.tar', { pdfs: 'all' })
  const dataDir = join(folder, 'restored')
  const { aside } = await restoreBackup(path, { dataDir, keep: [], isReplacing: false })
  const store = await openStore({ dataDir })
  const [user] = await store.users.list({ text: '', limit: 2, offset: 0 })
  const tokens = await store.tokens.listOfUser(user?.id ?? '')
  const session = await store.sessions.findByHash('f'.repeat(64))
  const purposes = ['invite', 'coauthor', 'reset'] as const
  const codes = await Promise.all(purposes.map((purpose) => store.codes.countOpen(purpose)))
  await store.close()
  const same = (name: string): boolean =>
    readFileSync(join(dataDir, name)).equals(readFileSync(join(host.dataDir, name)))
  assert.deepEqual(
    [
      aside,
      user?.login,
      tokens.length,
      session,
      codes,
      ['sealing.key', 'texproof.toml', `cache/pdf/ab/${pdfId}.pdf`].map(same),
    ],
    [null, 'alice', 1, null, [1, 1, 0], [true, true, true]],
  )
  const restored = join(dataDir, gitDir.slice(host.dataDir.length))
  assert.equal(git(restored, ['for-each-ref']), git(gitDir, ['for-each-ref']))
  git(restored, ['fsck', '--full', '--strict'])
  assert.match(token, /^pst_/)
})

test('a restore that replaces a host moves the old contents aside and keeps backups', async () => {
  const { path } = await make('replacing.tar')
  const dataDir = join(folder, 'replaced')
  mkdirSync(join(dataDir, 'backups'), { recursive: true })
  writeFileSync(join(dataDir, 'old.txt'), 'old')
  writeFileSync(join(dataDir, 'sealing.key'), 'old')
  const options = { dataDir, keep: ['backups'] }
  const plan = await planRestore(path, options)
  await assert.rejects(restoreBackup(path, { ...options, isReplacing: false }), { message: `${dataDir} is not empty` })
  const untouched = readdirSync(dataDir).toSorted()
  const { aside } = await restoreBackup(path, { ...options, isReplacing: true })
  assert.deepEqual(
    [plan.isEmpty, plan.counts.users, plan.replaced, untouched, readdirSync(aside ?? ''), dirname(aside ?? '')],
    [false, 1, null, ['backups', 'old.txt', 'sealing.key'], ['old.txt', 'sealing.key'], dataDir],
  )
  assert.deepEqual(
    readdirSync(dataDir)
      .filter((name) => !name.startsWith('replaced-'))
      .toSorted(),
    ['backups', 'repositories', 'sealing.key', 'serve.lock.db', 'texproof.db', 'texproof.toml', 'tmp'],
  )
})

test('a restore removes what a killed one has left just before', async () => {
  const { path } = await make('resumed.tar')
  const dataDir = join(folder, 'resumed')
  mkdirSync(join(dataDir, 'restore-0123456789ab', 'data'), { recursive: true })
  await restoreBackup(path, { dataDir, keep: [], isReplacing: false })
  assert.deepEqual(
    readdirSync(dataDir).filter((name) => name.startsWith('restore-')),
    [],
  )
})

test('a restore is refused before any change if backups are in a folder that it replaces', async () => {
  const { path } = await make('colliding.tar')
  const dataDir = join(folder, 'colliding')
  mkdirSync(join(dataDir, 'tmp/backups'), { recursive: true })
  writeFileSync(join(dataDir, 'sealing.key'), 'old')
  const restoring = restoreBackup(path, { dataDir, keep: ['tmp'], isReplacing: true })
  await assert.rejects(restoring, { message: `${join(dataDir, 'tmp')} contains backups, but would be replaced` })
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['sealing.key', 'serve.lock.db', 'tmp'])
})

test(
  'a restore is refused before any change if an entry is a mount point',
  { skip: process.getuid?.() !== 0 },
  async (t) => {
    const { path } = await make('mounted.tar')
    const dataDir = join(folder, 'mounted')
    const cache = join(dataDir, 'cache')
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(dataDir, 'sealing.key'), 'old')
    const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', cache])
    if (mounted.status !== 0) return t.skip('no mounts here')
    try {
      const restoring = restoreBackup(path, { dataDir, keep: [], isReplacing: true })
      await assert.rejects(restoring, { message: `${cache} is a mount point, so it cannot be moved aside` })
      assert.deepEqual(readdirSync(dataDir).toSorted(), ['cache', 'sealing.key', 'serve.lock.db'])
    } finally {
      spawnSync('umount', [cache])
    }
  },
)

test('a backup says how to create a folder for it that is missing', { skip: process.getuid?.() !== 0 }, async (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'texproof-parent-'))
  chmodSync(parent, 0o755)
  t.after(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, 'backups')
  process.seteuid?.(65_534)
  try {
    await assert.rejects(makeBackup(host, { target: join(folder, 'one.tar'), pdfs: 'of-tags' }), {
      message: `${folder} does not exist, and uid 65534 cannot create it`,
      remedy: `Create it: sudo install -d -m 700 -o 65534 ${folder}. Or choose another folder.`,
    })
  } finally {
    process.seteuid?.(0)
  }
})

test('a backup names the file that it cannot read', { skip: process.getuid?.() !== 0 }, async (t) => {
  const target = mkdtempSync(join(tmpdir(), 'texproof-target-'))
  chownSync(target, 65_534, 65_534)
  t.after(() => rmSync(target, { recursive: true }))
  process.seteuid?.(65_534)
  try {
    await assert.rejects(makeBackup(host, { target: join(target, 'one.tar'), pdfs: 'of-tags' }), {
      message: `uid 65534 cannot access ${join(host.dataDir, 'tmp')}`,
    })
  } finally {
    process.seteuid?.(0)
  }
})

test('a restore replaces no directory that is not a data directory', async () => {
  const { path } = await make('mistyped.tar')
  const dataDir = join(folder, 'mistyped')
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'thesis.tex'), '')
  const restoring = restoreBackup(path, { dataDir, keep: [], isReplacing: true })
  await assert.rejects(restoring, { message: `${dataDir} is not a data directory` })
  assert.deepEqual(readdirSync(dataDir), ['thesis.tex'])
})

test(
  'a restore is refused while a command uses the database of the data directory',
  { skip: isOnPostgres && 'the database is not in the data directory' },
  async () => {
    const { path } = await make('refused.tar')
    const restoring = restoreBackup(path, { dataDir: host.dataDir, keep: [], isReplacing: true })
    await assert.rejects(restoring, { message: `a server or command is using ${host.dataDir}` })
    assert.deepEqual([isDatabaseInUse(host.dataDir), isDatabaseInUse(folder)], [true, false])
    assert.equal((await host.store.users.list({ text: '', limit: 2, offset: 0 })).length, 1)
  },
)

test('a restore is refused while a server of a PostgreSQL database uses the data directory', async (t) => {
  const { path } = await make('refused-served.tar')
  const dataDir = join(folder, 'served')
  const lock = lockDataDir(dataDir, { pid: process.pid, url: 'http://localhost' }, { isShared: true })
  t.after(() => lock?.release())
  mkdirSync(join(dataDir, 'repositories'))
  const restoring = restoreBackup(path, { dataDir, keep: [], isReplacing: true })
  await assert.rejects(restoring, { message: `a server or command is using ${dataDir}` })
  assert.deepEqual(readdirSync(dataDir).toSorted(), ['repositories', 'serve.json', 'serve.lock.db'])
})

test('no server starts on a data directory during a restore', async () => {
  const { path } = await make('locked.tar')
  const dataDir = join(folder, 'locked')
  const holder = { pid: process.pid, url: 'http://localhost' }
  const locks: unknown[] = []
  const onRepository = (): void => void locks.push(lockDataDir(dataDir, holder))
  await restoreBackup(path, { dataDir, keep: [], isReplacing: false, onRepository })
  const lock = lockDataDir(dataDir, holder)
  lock?.release()
  assert.deepEqual([locks, lock !== null], [[null, null], true])
})

test('backups of a folder are listed by their first entries, and other files are not listed', async () => {
  const listing = join(folder, 'listing')
  const { createdAt: first } = await make('listing/a.tar')
  const { createdAt: second, sizeBytes } = await make('listing/b.tar')
  writeFileSync(join(listing, 'c.tar'), 'no tar')
  execFileSync('tar', ['-cf', join(listing, 'd.tar'), '-C', listing, 'c.tar'])
  const listed = await listBackups(listing)
  assert.deepEqual(
    [
      listed.map(({ path, createdAt }) => [path, createdAt]),
      listed[0]?.sizeBytes,
      await listBackups(join(listing, 'no')),
    ],
    [
      [
        [join(listing, 'b.tar'), second],
        [join(listing, 'a.tar'), first],
      ],
      sizeBytes,
      [],
    ],
  )
})

test('a backup contains the pushes that its repositories contain, each once, for post-receive of the restored host', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id } = await other.addRepository(user, 'late', { autoInit: true })
    const main = git(other.git.gitDir(id), ['rev-parse', 'main'])
    const update = (name: string) => ({ ref: `refs/tags/${name}`, oldCommitId: null, newCommitId: main })
    const push = async (names: readonly string[]) => {
      const entry = { repositoryId: id, userId: user.id, updates: names.map(update) }
      return other.store.pushJournal.begin(entry)
    }
    const early = await push(['early'])
    const store = {
      ...other.store,
      // Everything that follows the copy of the database and precedes the copy of the repository.
      async snapshot(path: string) {
        await other.store.snapshot(path)
        for (const name of ['early', 'finished', 'open']) git(other.git.gitDir(id), ['tag', name, main])
        await other.store.pushJournal.finish(early, early.updates)
        const finished = await push(['finished'])
        await other.store.pushJournal.finish(finished, finished.updates)
        await push(['open', 'refused'])
      },
    }
    const target = join(folder, 'late.tar')
    await makeBackup({ dataDir: other.dataDir, store }, { target, pdfs: 'of-tags' })
    const dataDir = join(folder, 'late')
    await restoreBackup(target, { dataDir, keep: [], isReplacing: false })
    const restored = await openStore({ dataDir })
    const entries = await restored.pushJournal.list()
    await restored.close()
    assert.deepEqual(
      entries.map(({ userId, updates }) => [userId, updates.map(({ ref }) => ref)]),
      [
        [user.id, ['refs/tags/early']],
        [user.id, ['refs/tags/finished']],
        [user.id, ['refs/tags/open', 'refs/tags/refused']],
      ],
    )
  } finally {
    await other.close()
  }
})

test('a restored host sends no delivery that its backup contains, except by hand, and sends deliveries of new pushes', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id: repositoryId } = await other.addRepository(user, 'hooked', { autoInit: true })
    const main = git(other.git.gitDir(repositoryId), ['rev-parse', 'main'])
    const form = { repositoryId, url: 'http://receiver.example/', sealedSecret: '', isActive: true } as const
    const webhook = await other.store.webhooks.add({ ...form, events: ['push'] })
    assert.ok(webhook)
    const push = async ({ pushJournal }: Pick<Store, 'pushJournal'>, name: string) => {
      const updates = [{ ref: `refs/tags/${name}`, oldCommitId: null, newCommitId: main }]
      const entry = await pushJournal.begin({ repositoryId, userId: user.id, updates })
      await pushJournal.finish(entry, updates)
    }
    await push(other.store, 'waiting')
    const store = {
      ...other.store,
      async snapshot(path: string) {
        await other.store.snapshot(path)
        await push(other.store, 'later')
      },
    }
    const target = join(folder, 'hooked.tar')
    await makeBackup({ dataDir: other.dataDir, store }, { target, pdfs: 'of-tags' })
    const dataDir = join(folder, 'hooked')
    await restoreBackup(target, { dataDir, keep: [], isReplacing: false })
    const restored = await openStore({ dataDir })
    const { pushJournal, webhookDeliveries } = restored
    for (const entry of await pushJournal.list())
      await pushJournal.finish(entry, entry.updates, { at: entry.createdAt })
    await push(restored, 'new')
    const listed = await webhookDeliveries.list(webhook.id, { limit: 10, offset: 0 })
    const [first] = listed.toReversed()
    const redelivery = await webhookDeliveries.find(
      Number(await webhookDeliveries.addAgain(webhook, Number(first?.id))),
    )
    await restored.close()
    const problem =
      'Not sent: this host was restored from a backup, and may have sent this delivery before. To send it, press Redeliver.'
    assert.deepEqual(
      [...listed.map((each) => [each.state, each.problem]), [redelivery?.state, redelivery?.guid]],
      [
        ['queued', null],
        ['failed', problem],
        ['failed', problem],
        ['queued', first?.guid],
      ],
    )
  } finally {
    await other.close()
  }
})

test('a branch that is deleted and created again during a backup has no builds of its predecessor there', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id: repositoryId } = await other.addRepository(user, 'late', { autoInit: true })
    const main = git(other.git.gitDir(repositoryId), ['rev-parse', 'main'])
    const addBuild = (ref: string) => other.store.builds.add(exampleNewBuild({ repositoryId, ref, commitId: main }))
    const refs = ['refs/heads/again', 'refs/heads/moved']
    for (const ref of refs) await addBuild(ref)
    const store = {
      ...other.store,
      async snapshot(path: string) {
        await other.store.snapshot(path)
        const updates = refs.map((ref, index) => ({ ref, oldCommitId: index === 0 ? null : main, newCommitId: main }))
        await other.store.pushJournal.begin({ repositoryId, userId: user.id, updates })
      },
    }
    const target = join(folder, 'again.tar')
    await makeBackup({ dataDir: other.dataDir, store }, { target, pdfs: 'of-tags' })
    const dataDir = join(folder, 'again')
    await restoreBackup(target, { dataDir, keep: [], isReplacing: false })
    const restored = await openStore({ dataDir })
    const lastIds = await restored.builds.listLastIds(repositoryId)
    await restored.close()
    assert.deepEqual([...lastIds.keys()], ['refs/heads/moved'])
  } finally {
    await other.close()
  }
})

test('the backup that was just made is kept, even if the clock was set back', async () => {
  const place = join(folder, 'clock')
  mkdirSync(place)
  const names = ['1970-01-01-000000', '2026-01-01-000000', '2026-01-02-000000', '2099-01-01-000000']
  const files = names.map((name) => `texproof-${name}.tar`)
  for (const name of files) writeFileSync(join(place, name), '')
  const [made = '', oldest = '', ...kept] = files
  assert.deepEqual(
    [await keepNewest(place, { count: 3, made, isDamaged: false }), readdirSync(place).toSorted()],
    [[oldest], [made, ...kept]],
  )
})

test('an incremental backup reports a damaged PDF until it is repaired, and then contains the repaired PDF', async () => {
  const other = await openApiHost()
  try {
    const id = createHash('sha256').update('%PDF-').digest('hex')
    const name = `cache/pdf/${id.slice(0, 2)}/${id}.pdf`
    const path = join(other.dataDir, name)
    mkdirSync(dirname(path), { recursive: true })
    const makeNext = (day: number) =>
      makeBackup(other, {
        target: join(folder, 'rotten-pdf', `texproof-2026-01-0${day}-000000`),
        pdfs: 'all',
        isIncremental: true,
      })
    writeFileSync(path, '%PDF=')
    const [first, second] = [await makeNext(1), await makeNext(2)]
    // As earlier versions wrote it.
    writeFileSync(join(second.path, 'DAMAGED'), '')
    writeFileSync(path, '%PDF-')
    const third = await makeNext(3)
    assert.deepEqual(
      [first, second, third].map(({ damagedPdfs }) => damagedPdfs),
      [[path], [path], []],
    )
    assert.equal(readFileSync(join(third.path, name), 'utf8'), '%PDF-')
  } finally {
    await other.close()
  }
})

test('a backup during an outage of the bucket contains everything else, and names the PDFs after one attempt', async (t) => {
  const requests: string[] = []
  const outage = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  t.after(() => outage.close())
  await once(outage, 'listening')
  const endpoint = `http://127.0.0.1:${(outage.address() as { port: number }).port}`
  const credentials = { region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' }
  const other = await openApiHost()
  t.after(() => other.close())
  const { user } = await other.addUser('bob')
  const { id: repositoryId } = await other.addRepository(user, 'late', { autoInit: true })
  // In the order of their SHA-256.
  const ids = ['c', 'b', 'a'].map((content) => createHash('sha256').update(content).digest('hex'))
  const names = ids.map((id) => `pdf/${id.slice(0, 2)}/${id}.pdf`)
  for (const pdfId of ids) {
    const { id } = await other.store.builds.add(exampleNewBuild({ repositoryId, ref: `refs/tags/${pdfId}` }))
    const outcome = { state: 'succeeded', pageCount: 1, errors: [], warnings: [], passes: [] } as const
    await other.store.builds.finish(id, { ...outcome, pdfId })
  }
  const [lost = '', later = '', stored = ''] = names
  const path = join(other.dataDir, 'cache', stored)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'a')
  const {
    missingPdfs,
    damagedPdfs,
    repositories,
    path: made,
  } = await makeBackup(
    { ...other, bucket: { endpoint, bucket: 'papers', prefix: '', ...credentials } },
    { target: join(folder, 'outage', 'texproof-2026-01-01-000000'), pdfs: 'of-tags', isIncremental: true },
  )
  const tried = new Set(requests.map((url) => url.replace('/papers/', '')))
  assert.deepEqual(
    [missingPdfs, damagedPdfs, repositories, [...tried], readdirSync(join(made, 'cache/pdf'))],
    [
      [lost, later].map((name) => ({ name, reason: `${endpoint}/papers/: S3 returned 503 – Unknown` })),
      [],
      1,
      [lost],
      [stored.split('/')[1]],
    ],
  )
})

test('while a repository is damaged, the earliest backups are kept, and the newest as usual', async () => {
  const place = join(folder, 'rotation')
  mkdirSync(place)
  const files = Array.from({ length: 7 }, (_, index) => `texproof-2026-01-0${index + 1}-000000.tar`)
  for (const name of files) writeFileSync(join(place, name), '')
  const made = files.at(-1) ?? ''
  const removed = [
    await keepNewest(place, { count: 2, made, isDamaged: true }),
    await keepNewest(place, { count: 2, made, isDamaged: true }),
    await keepNewest(place, { count: 2, made, isDamaged: false }),
  ]
  assert.deepEqual(
    [removed, readdirSync(place).toSorted()],
    [[files.slice(2, 5), [], files.slice(0, 2)], files.slice(5)],
  )
})

test('an incremental backup is a whole backup that shares unchanged files with the one before', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id } = await other.addRepository(user, 'tides', { autoInit: true })
    const place = join(folder, 'incremental')
    const options = { pdfs: 'all', isIncremental: true } as const
    const first = await makeBackup(other, { ...options, target: join(place, 'texproof-2026-01-01-000000') })
    git(other.git.gitDir(id), ['tag', '-a', '-m', 'One', 'v1', 'main'])
    const second = await makeBackup(other, { ...options, target: join(place, 'texproof-2026-01-02-000000') })
    const objects = (path: string): readonly string[] =>
      readdirSync(join(path, `repositories/01/1.git/objects`), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    const links = objects(second.path).map((file) => statSync(file).nlink)
    const listed = await listBackups(place)
    execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: second.path })
    rmSync(first.path, { recursive: true })
    const { counts, damaged } = await verifyBackup(second.path)
    const dataDir = join(folder, 'from-incremental')
    await restoreBackup(second.path, { dataDir, keep: [], isReplacing: false })
    assert.deepEqual(
      [objects(second.path).length, links.toSorted(), listed.map(({ path }) => path), counts, damaged],
      [4, [1, 2, 2, 2], [second.path, first.path], { users: 1, repositories: 1, tokens: 1 }, []],
    )
    assert.equal(
      git(join(dataDir, 'repositories/01/1.git'), ['for-each-ref']),
      git(other.git.gitDir(id), ['for-each-ref']),
    )
  } finally {
    await other.close()
  }
})

test('only the owner can list the folders of an incremental backup', async () => {
  const target = join(folder, 'private', 'texproof-2026-01-01-000000')
  await makeBackup(host, { target, pdfs: 'all', isIncremental: true })
  const folders = readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
  const modes = [target, ...folders].map((path) => statSync(path).mode & 0o777)
  assert.deepEqual([folders.length > 0, new Set(modes)], [true, new Set([0o700])])
})

test('an incremental backup that was damaged, cut or extended by a link is refused', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    await other.addRepository(user, 'tides', { autoInit: true })
    const target = join(folder, 'refused-folder')
    await makeBackup(other, { target, pdfs: 'all', isIncremental: true })
    const refusals: string[] = []
    const read = async (change: () => void, undo: () => void): Promise<void> => {
      change()
      await verifyBackup(target).catch((error: unknown) => refusals.push(String(error)))
      undo()
    }
    const head = join(target, 'repositories/01/1.git/HEAD')
    const sums = join(target, 'SHA256SUMS')
    const [headText, sumsText] = [readFileSync(head, 'utf8'), readFileSync(sums, 'utf8')]
    const restoreHead = (): void => {
      rmSync(head, { force: true })
      writeFileSync(head, headText)
    }
    await read(() => writeFileSync(head, 'ref: refs/heads/other\n'), restoreHead)
    await read(() => rmSync(head), restoreHead)
    await read(() => {
      rmSync(head)
      symlinkSync('/etc/passwd', head)
    }, restoreHead)
    const outside = `${'0'.repeat(64)}  ../../outside\n`
    await read(
      () => writeFileSync(sums, sumsText + outside),
      () => writeFileSync(sums, sumsText),
    )
    assert.deepEqual(refusals, [
      `BackupError: ${target} is damaged: repositories/01/1.git/HEAD has a wrong checksum`,
      `BackupError: ${target} is damaged: "repositories/01/1.git/HEAD" is missing`,
      `BackupError: ${target} contains "repositories/01/1.git/HEAD", which is not a regular file`,
      `BackupError: ${target} contains "../../outside", which is not part of a Texproof backup`,
    ])
    assert.deepEqual((await verifyBackup(target)).damaged, [])
  } finally {
    await other.close()
  }
})

test('an incremental backup reports a damaged file until it is repaired, and then contains the repaired file', async () => {
  const other = await openApiHost()
  try {
    const { user } = await other.addUser('bob')
    const { id } = await other.addRepository(user, 'rotten', { autoInit: true })
    const blob = git(other.git.gitDir(id), ['rev-parse', 'main:README.md'])
    const file = join(other.git.gitDir(id), 'objects', blob.slice(0, 2), blob.slice(2))
    const intact = readFileSync(file)
    const replace = (bytes: Uint8Array): void => {
      rmSync(file)
      writeFileSync(file, bytes)
    }
    const makeNext = (day: number) =>
      makeBackup(other, {
        target: join(folder, 'rotten', `texproof-2026-01-0${day}-000000`),
        pdfs: 'of-tags',
        isIncremental: true,
      })
    replace(intact.map((byte, at) => (at === intact.length >> 1 ? byte ^ 0xff : byte)))
    const [first, second] = [await makeNext(1), await makeNext(2)]
    replace(intact)
    const third = await makeNext(3)
    const damaged = [{ fullName: 'bob/rotten', damage: `${file}: the content does not match its checksum` }]
    const stored = readFileSync(join(third.path, file.slice(other.dataDir.length)))
    assert.deepEqual([first.damaged, second.damaged, third.damaged, stored], [damaged, damaged, [], intact])
  } finally {
    await other.close()
  }
})
