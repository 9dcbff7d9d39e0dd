import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import type { Store } from '../store.ts'
import type { BuildLease } from './build-leases.ts'

async function openBuilds(context: TestContext) {
  const { store, repositoryId } = await openTestStore(context)
  const build = await store.builds.add(exampleNewBuild({ repositoryId }))
  return { store, repositoryId, build }
}

async function take(store: Store, buildId: number): Promise<BuildLease> {
  const lease = await store.buildLeases.take(buildId, { worker: 'w', leaseMs: 60_000 })
  assert.ok(lease)
  return lease
}

const ERROR = {
  type: 'error',
  file: 'main.tex',
  line: 3,
  message: 'Undefined control sequence.',
  context: null,
  source: 'latex',
} as const

test('list() counts the diagnostics of a build, and find() returns them', async (t) => {
  const { store, repositoryId, build } = await openBuilds(t)
  await take(store, build.id)
  await store.builds.finish(build.id, {
    state: 'failed',
    pdfId: null,
    pageCount: null,
    errors: [ERROR, ERROR],
    warnings: [],
    passes: [],
  })
  const [record] = await store.builds.list(repositoryId, { limit: 1, offset: 0 })
  const whole = await store.builds.find(build.id)
  const { errors, warnings, passes, ...rest } = whole ?? build
  assert.deepEqual(record, rest)
  assert.deepEqual([record?.errorCount, errors, warnings, passes], [2, [ERROR, ERROR], [], []])
})

test('find() reads explanations as version 0.1 stored them', async (t) => {
  const { store, build } = await openBuilds(t)
  await take(store, build.id)
  const advice = { summary: '\\foo is not defined.', remedy: 'Did you mean \\fox?' }
  const old = { ...ERROR, advice }
  const outcome = { pdfId: null, pageCount: null, errors: [old], warnings: [], passes: [] }
  await store.builds.finish(build.id, { state: 'failed', ...outcome })
  assert.deepEqual((await store.builds.find(build.id))?.errors, [{ ...old, ...advice }])
})

test('setConfirming() shows the PDF of a running build until it is cancelled, and only under its lease', async (t) => {
  const { store, repositoryId, build } = await openBuilds(t)
  const shown = async () =>
    (await store.builds.findNewestWithPdf(repositoryId, { ref: build.ref, document: null }))?.pdfId
  await store.builds.setConfirming({ buildId: build.id, worker: 'w', attempt: 1 }, { pdfId: 'early', pageCount: 2 })
  const whileQueued = await shown()
  const lease = await take(store, build.id)
  await store.builds.setConfirming({ ...lease, attempt: 2 }, { pdfId: 'other', pageCount: 2 })
  const withoutLease = await shown()
  await store.builds.setConfirming(lease, { pdfId: 'early', pageCount: 2 })
  const whileRunning = await shown()
  await store.builds.cancel([build.id])
  assert.deepEqual([whileQueued, withoutLease, whileRunning, await shown()], [undefined, undefined, 'early', undefined])
})

test('listProblems() returns the diagnostics of builds that have any', async (t) => {
  const { store, build } = await openBuilds(t)
  const { repositoryId } = build
  const good = await store.builds.add(exampleNewBuild({ repositoryId, rootFile: 'notes.tex', document: 'notes' }))
  const outcome = { pdfId: null, pageCount: null, warnings: [], passes: [] }
  await store.builds.finish(build.id, { ...outcome, state: 'failed', errors: [ERROR] })
  await store.builds.finish(good.id, { ...outcome, state: 'succeeded', errors: [] })
  assert.deepEqual(await store.builds.listProblems([build.id, good.id]), new Map([[build.id, [ERROR]]]))
})

test('summarize() returns the newest build of every document of a commit', async (t) => {
  const { store, build } = await openBuilds(t)
  const { repositoryId, commitId } = build
  await store.builds.add(exampleNewBuild({ repositoryId, rootFile: 'notes.tex', document: 'notes' }))
  const outcome = { pdfId: null, pageCount: null, warnings: [], passes: [] }
  await store.builds.finish(build.id, { ...outcome, state: 'failed', errors: [ERROR] })
  await store.builds.add(exampleNewBuild({ repositoryId }))
  assert.deepEqual(await store.builds.summarize(repositoryId, [commitId]), [
    { commitId, document: 'main', state: 'queued', pdfId: null, warningCount: 0 },
    { commitId, document: 'notes', state: 'queued', pdfId: null, warningCount: 0 },
  ])
})
