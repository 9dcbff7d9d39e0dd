import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { addUser } from '../../accounts/users/add-user.ts'
import { openStore } from '../../store/store.ts'
import type { Store } from '../../store/store.ts'
import { createBuildCache } from './build-cache.ts'
import { createPdfStore } from './pdf-store.ts'
import { removeOldBuilds } from './remove-old-builds.ts'

let dataDir: string
let store: Store
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'texproof-old-builds-'))
  store = await openStore({ dataDir })
})
after(async () => {
  await store.close()
  await rm(dataDir, { recursive: true })
})

/** Finishes a build of a ref, without a PDF and as failed if `pdf` is null. */
async function build(repositoryId: number, ref: string, pdf: string | null): Promise<number> {
  const { id } = await store.builds.add(exampleNewBuild({ repositoryId, ref }))
  const pdfId = pdf === null ? null : await createPdfStore(join(dataDir, 'cache/pdf')).add(Buffer.from(pdf))
  const state = pdf === null ? 'failed' : 'succeeded'
  await store.builds.finish(id, { state, pdfId, pageCount: null, errors: [], warnings: [], passes: [] })
  await createBuildCache(join(dataDir, 'cache/builds')).savePassLogs(id, [])
  return id
}

test('removeOldBuilds() keeps the newest build and the newest PDF of every branch and tag', async () => {
  const outcome = await addUser(store, { login: 'alice' })
  assert.equal(outcome.kind, 'added')
  if (outcome.kind !== 'added') return
  const cacheDir = join(dataDir, 'cache')
  const repositoryId = await store.repositories.addUnfinished({
    owner: outcome.user,
    name: 'tides',
    description: null,
    visibility: 'public',
    defaultBranch: 'main',
  })
  await store.repositories.markReady(repositoryId)
  const old = await build(repositoryId, 'refs/heads/main', 'first')
  const tag = await build(repositoryId, 'refs/tags/v1', 'first')
  const same = await build(repositoryId, 'refs/heads/main', 'second')
  const good = await build(repositoryId, 'refs/heads/main', 'third')
  const failed = await build(repositoryId, 'refs/heads/main', null)
  const again = await build(repositoryId, 'refs/heads/main', null)
  const removedPdf = (await store.builds.find(same))?.pdfId ?? ''
  const pdfs = createPdfStore(join(cacheDir, 'pdf'))
  await utimes((await pdfs.find(removedPdf))?.path ?? '', 1_700_000_000, 1_700_000_000)
  await mkdir(join(cacheDir, 'pictures', removedPdf.slice(0, 2)), { recursive: true })
  const picture = join(cacheDir, 'pictures', removedPdf.slice(0, 2), `${removedPdf}-1-440.png`)
  writeFileSync(picture, '')
  await new Promise((resolve) => setTimeout(resolve, 5))

  const cache = createBuildCache(join(cacheDir, 'builds'))
  const config = { retention: { buildsMs: 1, logsMs: 86_400_000 } }
  const retired = await removeOldBuilds({ config, store, cache, cacheDir, copies: null })

  const left = (await store.builds.list(repositoryId, { limit: 10, offset: 0 })).map(({ id }) => id)
  const paths = await Promise.all([old, tag, same, good, failed, again].map((id) => cache.findPassLogs(id)))
  const logs = paths.map((path) => existsSync(path))
  assert.deepEqual(
    {
      retired,
      left,
      logs,
      pdf: await pdfs.find(removedPdf),
      picture: existsSync(picture),
    },
    {
      retired: { builds: 3, files: 0, drafts: 0 },
      left: [again, good, tag],
      logs: [false, true, false, true, false, true],
      pdf: null,
      picture: false,
    },
  )
})

test('removeOldBuilds() removes the builds of former branches, and keeps what they do not replace', async () => {
  const outcome = await addUser(store, { login: 'bob' })
  assert.equal(outcome.kind, 'added')
  if (outcome.kind !== 'added') return
  const repositoryId = await store.repositories.addUnfinished({
    owner: outcome.user,
    name: 'ebb',
    description: null,
    visibility: 'public',
    defaultBranch: 'main',
  })
  await store.repositories.markReady(repositoryId)
  const ref = 'refs/heads/main'
  const restored = await build(repositoryId, ref, 'restored')
  await store.builds.endBranch({ id: restored, repositoryId, ref })
  const former = await build(repositoryId, ref, 'former')
  await store.builds.endBranch({ id: former, repositoryId, ref })
  await store.builds.resumeBranch({ id: restored, repositoryId, ref })
  const failed = await build(repositoryId, ref, null)
  await new Promise((resolve) => setTimeout(resolve, 5))

  const cacheDir = join(dataDir, 'cache')
  const config = { retention: { buildsMs: 1, logsMs: 86_400_000 } }
  await removeOldBuilds({ config, store, cache: createBuildCache(join(cacheDir, 'builds')), cacheDir, copies: null })

  const left = (await store.builds.list(repositoryId, { limit: 10, offset: 0 })).map(({ id }) => id)
  assert.deepEqual(left, [failed, restored])
})

test('removeOldBuilds() removes files of builds that were not used for a long time', async () => {
  const cacheDir = join(dataDir, 'cache')
  await mkdir(join(cacheDir, 'builds/aux/7'), { recursive: true })
  const path = join(cacheDir, 'builds/aux/7/a.br')
  writeFileSync(path, '')
  await utimes(path, 1_700_000_000, 1_700_000_000)
  const config = { retention: { buildsMs: 86_400_000, logsMs: 86_400_000 } }
  const cache = createBuildCache(join(cacheDir, 'builds'))
  assert.deepEqual(
    [await removeOldBuilds({ config, store, cache, cacheDir, copies: null }), existsSync(path)],
    [{ builds: 0, files: 1, drafts: 0 }, false],
  )
})
