import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { after, before, test, type TestContext } from 'node:test'

import { makeBackup } from '../../src/backup/make-backup.ts'
import { openBucket } from '../../src/bucket/open-bucket.ts'
import { runDeepDoctor } from '../../src/cli/doctor/deep/run-deep-doctor.ts'
import { moveToBucket, moveToDisk } from '../../src/cli/move/move-blobs.ts'
import type { BuildRecord } from '../../src/domain/build.ts'
import { evictCache } from '../../src/papers/cache/evict-cache.ts'
import { openBucketCopies } from '../../src/papers/cache/bucket-copies.ts'
import { pdfPath } from '../../src/papers/cache/pdf-store.ts'
import { removeOldBuilds } from '../../src/papers/cache/remove-old-builds.ts'
import { eventually } from '../../../platex/test/support/eventually.ts'
import { openPaperHost, type Checkout, type PaperHost } from '../support/hosts/paper-host.ts'
import { startS3Server, type S3Server } from '../support/hosts/s3-server.ts'
import { makeFolder } from '../support/make-folder.ts'
import { sendRequest } from '../support/send-request.ts'

const paper = (words: string): Readonly<Record<string, string>> => ({
  'main.tex': String.raw`\documentclass{article}\begin{document}${words}\end{document}`,
})

let s3: S3Server
let host: PaperHost
let work: Checkout
let repositoryId: number
let cacheDir: string

before(async () => {
  s3 = await startS3Server()
  host = await openPaperHost({ bucket: s3.address })
  cacheDir = join(host.deps.config.dataDir, 'cache')
  const { user, token } = await host.addUser('alice')
  repositoryId = (await host.addRepository(user, 'tides')).id
  work = await host.makeCheckout(host.gitUrl('alice/tides.git', token), paper('First words.'))
  await work.git('tag', 'v1')
  await push('main', 'v1')
})
after(async () => {
  await host.close()
  await s3.close()
})

async function push(...refs: readonly string[]): Promise<BuildRecord> {
  await work.git('push', 'origin', ...refs)
  await host.whenBuilt(repositoryId)
  const [newest] = await host.deps.store.builds.list(repositoryId, { limit: 1, offset: 0 })
  if (newest === undefined) throw new Error('no build')
  return newest
}

const nameOf = (pdfId: string): string => pdfPath('pdf', pdfId)
const readPdf = (ref = 'main') => sendRequest(host.origin, { target: `/alice/tides/pdf/${ref}.pdf` })

/** Removes the cache, as on a new machine or after an eviction. */
async function loseCache(): Promise<void> {
  for (const folder of ['pdf', 'pictures', 'builds']) await rm(join(cacheDir, folder), { recursive: true, force: true })
}

test('a finished build has its PDF, logs and SyncTeX data in the bucket, and nothing else is there', async () => {
  const [build] = await host.deps.store.builds.list(repositoryId, { limit: 1, offset: 0 })
  const names = await eventually(() => s3.list(), { until: (found) => found.length === 4 })
  // The tag reuses the result of the branch.
  assert.deepEqual(
    names.map((name) => name.replaceAll(/[0-9a-f]{32}\.br/g, 'KEY.br')),
    ['builds/logs/1/1.br', 'builds/logs/2/2.br', `builds/synctex/${repositoryId}/KEY.br`, nameOf(build?.pdfId ?? '')],
  )
  assert.deepEqual(await readdir(join(cacheDir, 'bucket-tasks')), [])
})

test('an empty cache is filled from the bucket: PDF, first page, log and SyncTeX', async () => {
  const { builds } = host.deps.store
  const [build] = await builds.list(repositoryId, { limit: 1, offset: 0 })
  const whole = build === undefined ? null : await builds.find(build.id)
  const before = await readPdf()
  await loseCache()
  assert.ok(whole?.pdfId)
  const tails = await host.deps.papers.findPassTails(whole.id, { ownerId: 'alice', length: 100 })
  const synctex = await host.deps.papers.findSynctex(whole, { ownerId: 'alice' })
  const first = { page: 1, widthPx: 440, ownerId: 'alice', requesterId: 'alice' }
  const picture = await host.deps.papers.findPicture({ ...first, pdfId: whole.pdfId })
  const after = await readPdf()
  assert.deepEqual(
    [before.status, after.status, hash(after.text) === hash(before.text), tails === null, picture === null],
    [200, 200, true, false, false],
  )
  assert.ok(synctex?.inputs.some((input) => input.endsWith('main.tex')))
})

test('a damaged object is never sent, and readers get 503 with the reason in the log', async () => {
  const { pdfId } = await push()
  await loseCache()
  await s3.damage(nameOf(pdfId ?? ''))
  const { status, headers, text } = await readPdf()
  assert.deepEqual([status, headers['retry-after'], /The PDF storage is not responding/.test(text)], [503, '30', true])
  assert.match(host.logged(), /is damaged: its SHA-256 is/)
  await s3.damage(nameOf(pdfId ?? ''))
  assert.equal((await readPdf()).status, 200)
})

test('a download that is cut off is an outage for readers', async () => {
  await push()
  await loseCache()
  s3.cutDownloads()
  const during = await readPdf()
  s3.resume()
  const after = await readPdf()
  assert.deepEqual([during.status, during.headers['retry-after'], after.status], [503, '30', 200])
  assert.match(host.logged(), /the download ended early/)
})

test('an outage stops no build, hides no PDF, and its uploads follow', async () => {
  await work.commit(paper('Words of the outage.'))
  s3.interrupt()
  const { pdfId, state } = await push('main')
  const during = await readPdf()
  const waiting = await readdir(join(cacheDir, 'bucket-tasks'))
  s3.resume()
  await work.commit(paper('Words after the outage.'))
  await host.restart()
  await eventually(() => s3.list(), { until: (names) => names.includes(nameOf(pdfId ?? '')) })
  assert.deepEqual(
    [state, during.status, waiting.includes(`${nameOf(pdfId ?? '').replaceAll('/', '~')}.save`)],
    ['succeeded', 200, true],
  )
})

test('an evicted PDF of a branch leaves the disk only if the bucket has it, and comes back', async () => {
  const { builds } = host.deps.store
  const { pdfId } = await push('main')
  const path = pdfPath(join(cacheDir, 'pdf'), pdfId ?? '')
  const bucket = openBucket(s3.address)
  const copies = openBucketCopies(cacheDir, { bucket, log: host.deps.log, runsTasks: false })
  const evict = () => evictCache([join(cacheDir, 'pdf')], { builds, maxBytes: 1, copies, freshMs: 0 })
  s3.interrupt()
  await evict()
  const inOutage = existsSync(path)
  s3.resume()
  await bucket.remove(nameOf(pdfId ?? ''))
  await evict()
  const names = await s3.list()
  assert.deepEqual([inOutage, existsSync(path), names.includes(nameOf(pdfId ?? ''))], [true, false, true])
  assert.equal((await readPdf()).status, 200)
  await copies.close()
})

test('doctor --deep finds PDFs in the bucket, and names those that it lost', async () => {
  const { dataDir } = host.deps.config
  const place = { dataDir, databaseUrl: null, bucket: s3.address }
  const bucket = openBucket(s3.address)
  const [newest] = await host.deps.store.builds.list(repositoryId, { limit: 1, offset: 0 })
  await loseCache()
  const good = await runDeepDoctor(place, 'check')
  await bucket.remove(nameOf(newest?.pdfId ?? ''))
  const lost = await runDeepDoctor(place, 'check')
  assert.deepEqual(
    [...good, ...lost].map(({ state, message }) => [state, message]),
    [
      ['good', 'database, refs, objects and PDFs of 1 repository agree'],
      ['weak', 'alice/tides: no PDF of refs/heads/main'],
    ],
  )
})

test('a backup contains the PDFs of tags that only the bucket has', async (t) => {
  const { config, store } = host.deps
  const { pdfId } = (await store.builds.list(repositoryId, { limit: 10, offset: 0 })).findLast(
    ({ ref }) => ref === 'refs/tags/v1',
  ) ?? { pdfId: null }
  await loseCache()
  const target = join(makeFolder(t), 'backups')
  const source = { dataDir: config.dataDir, store, bucket: s3.address }
  const { path } = await makeBackup(source, {
    target: join(target, 'texproof-2026-01-01-000000'),
    pdfs: 'of-tags',
    isIncremental: true,
  })
  const pdf = await readFile(join(path, 'cache', nameOf(pdfId ?? '')))
  assert.equal(hash(pdf), pdfId)
})

test('a backup names the PDF whose download is cut off, and contains the others', async (t) => {
  const { config, store } = host.deps
  const builds = await store.builds.list(repositoryId, { limit: 10, offset: 0 })
  const name = nameOf(builds.findLast(({ ref }) => ref === 'refs/tags/v1')?.pdfId ?? '')
  await loseCache()
  s3.cutDownloads()
  t.after(() => s3.resume())
  const { path, repositories, missingPdfs } = await makeBackup(
    { dataDir: config.dataDir, store, bucket: s3.address },
    { target: join(makeFolder(t), 'texproof-2026-01-01-000000.tar'), pdfs: 'of-tags' },
  )
  assert.deepEqual(
    [existsSync(path), repositories, missingPdfs],
    [true, 1, [{ name, reason: `${openBucket(s3.address).url}${name}: the download ended early` }]],
  )
})

test('texproof move --blobs copies everything to a bucket and back, and nothing twice', async (t) => {
  const { dataDir } = host.deps.config
  const other = await startS3Server()
  t.after(() => other.close())
  const onFile = (): void => {}
  await readPdf()
  const files = await s3.list()
  await moveToDisk({ dataDir, address: s3.address, onFile })
  const first = await moveToBucket({ dataDir, address: other.address, onFile })
  const second = await moveToBucket({ dataDir, address: other.address, onFile })
  await loseCache()
  const back = await moveToDisk({ dataDir, address: other.address, onFile })
  const sizes = await Promise.all(files.map(async (name) => (await stat(join(cacheDir, name))).size > 0))
  assert.deepEqual(
    [first.copiedCount, second.copiedCount, back.copiedCount, sizes.every(Boolean)],
    [files.length, 0, files.length, true],
  )
})

test('texproof move --blobs disk: replaces a PDF that a power failure has emptied', async () => {
  const { dataDir } = host.deps.config
  await moveToDisk({ dataDir, address: s3.address, onFile() {} })
  const [name = ''] = (await s3.list()).filter((each) => each.endsWith('.pdf'))
  const file = join(cacheDir, name)
  writeFileSync(file, '')
  await moveToDisk({ dataDir, address: s3.address, onFile() {} })
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  assert.equal(`${sha256}.pdf`, basename(file))
})

test('objects of old builds are deleted, after an outage too', async () => {
  const { config, store } = host.deps
  await work.commit(paper('The newest words.'))
  await push('main')
  const bucket = openBucket(s3.address)
  const noted = openBucketCopies(cacheDir, { bucket, log: host.deps.log, runsTasks: false })
  const removed: number[] = []
  const cache = {
    removePassLogs: async (id: number) => {
      removed.push(id)
      await noted.remove(join(cacheDir, `builds/logs/${id % 100}/${id}.br`))
    },
  }
  const before = await s3.list()
  await removeOldBuilds(
    { config: { ...config, retention: { buildsMs: -60_000, logsMs: 1e12 } }, store, cache, cacheDir, copies: noted },
    {},
  )
  const running = openBucketCopies(cacheDir, { bucket, log: host.deps.log, runsTasks: true })
  const logs = removed.map((id) => `builds/logs/${id % 100}/${id}.br`)
  const after = await eventually(() => s3.list(), { until: (names) => !logs.some((name) => names.includes(name)) })
  assert.deepEqual(
    [removed.length > 0, logs.every((name) => before.includes(name)), after.length < before.length],
    [true, true, true],
  )
  await Promise.all([noted.close(), running.close()])
})

/** A bucket of its own, with the copies of a folder in it. */
async function openOwnCopies(t: TestContext) {
  const folder = makeFolder(t)
  const own = await startS3Server()
  t.after(() => own.close())
  const open = (runsTasks: boolean) =>
    openBucketCopies(folder, { bucket: openBucket(own.address), log: host.deps.log, runsTasks })
  const addFile = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), name)
    return join(folder, name)
  }
  return { s3: own, open, addFile }
}

test('uploads that the bucket refuses, and files that cannot be read, delay no others', async (t) => {
  const own = await openOwnCopies(t)
  const noting = own.open(false)
  const names = ['0', '1', '2', '3'].flatMap((digit) => [`pdf/refused-${digit}`, `pdf/${digit}`])
  for (const name of names) await noting.save(own.addFile(name))
  await noting.save(dirname(own.addFile('pdf/folder/file')))
  own.s3.refuse('refused')
  const copies = own.open(true)
  const good = names.filter((name) => !name.includes('refused'))
  await eventually(() => own.s3.list(), { until: (found) => good.every((name) => found.includes(name)) })
  await copies.save(own.addFile('pdf/refused-5'))
  await copies.save(own.addFile('pdf/new'))
  assert.deepEqual([await own.s3.list(), await copies.countWaiting()], [[...good, 'pdf/new'], 6])
  await Promise.all([noting.close(), copies.close()])
})

test('a folder that is removed in an outage leaves the bucket once it is available, and delays nothing', async (t) => {
  const own = await openOwnCopies(t)
  const copies = own.open(true)
  const paths = ['builds/synctex/1/a', 'builds/synctex/1/b', 'builds/synctex/10/a'].map(own.addFile)
  for (const path of paths) await copies.save(path)
  own.s3.interrupt()
  await copies.removeFolder(dirname(paths[0] ?? ''))
  const waitingCount = await copies.countWaiting()
  await copies.close()
  own.s3.resume()
  const later = own.open(true)
  await eventually(() => later.countWaiting(), { until: (count) => count === 0 })
  assert.deepEqual([waitingCount, await own.s3.list()], [1, ['builds/synctex/10/a']])
  await later.close()
})

test('a host that stops does not wait for an upload without an answer, and repeats it later', async (t) => {
  const own = await openOwnCopies(t)
  const hanging = own.s3.hang()
  const copies = own.open(true)
  const saved = copies.save(own.addFile('pdf/0'))
  const request = await hanging
  await copies.close()
  await saved
  await eventually(async () => request.destroyed, { until: Boolean })
  assert.equal(await copies.countWaiting(), 1)
})

function hash(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
