import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import type { Build } from '../../domain/build.ts'
import { createPdfStore } from '../cache/pdf-store.ts'
import { createBuildQueue } from '../build/build-queue.ts'
import { createRemoteSlots } from '../build/remote-slots.ts'
import { takeUpAbandoned } from './recover-builds.ts'

const HERE = { worker: 'w', slots: createRemoteSlots(() => {}) }

let host: PaperHost

before(async () => {
  host = await openPaperHost()
})
after(() => host.close())

async function addBuilds(login: string, documents: readonly string[]) {
  const { user } = await host.addUser(login)
  const repository = await host.addRepository(user, 'tides')
  const add = (document: string): Promise<Build> =>
    host.deps.store.builds.add(
      exampleNewBuild({ repositoryId: repository.id, ref: 'refs/tags/v1', rootFile: `${document}.tex`, document }),
    )
  const builds: Build[] = []
  for (const document of documents) builds.push(await add(document))
  return { user, builds }
}

/** A queue whose builds never end. */
function openQueue() {
  const started: number[] = []
  const hold = Promise.withResolvers<'over'>()
  const queue = createBuildQueue({
    countSlots: () => 9,
    run: ({ id }) => {
      started.push(id)
      return hold.promise
    },
    cancel: (ids) => host.deps.store.builds.cancel(ids),
    requeue: async () => {},
    onFault: assert.ifError,
  })
  const context = { ...host.deps, pdfs: createPdfStore(host.deps.config.dataDir), queue }
  const close = async (): Promise<void> => {
    hold.resolve('over')
    await queue.close()
  }
  return { started, context, close }
}

test('only a build whose lease has expired is recovered', async () => {
  const { user, builds } = await addBuilds('alice', ['left', 'own', 'fresh'])
  const [left, own, fresh] = builds
  assert.ok(left && own && fresh)
  const { store } = host.deps
  for (const { id } of [left, own]) await store.buildLeases.take(id, { worker: 'w', leaseMs: 60_000 })
  const { started, context, close } = openQueue()
  context.queue.add([own], { ownerId: user.id })
  const { signal } = new AbortController()

  await takeUpAbandoned(context, { ...HERE, signal, now: Date.now() + 30_000 })
  const early = [...started]
  await takeUpAbandoned(context, { ...HERE, signal, now: Date.now() + 61_000 })
  const states = await Promise.all([left, own, fresh].map(async ({ id }) => (await store.builds.find(id))?.state))
  await close()
  await store.builds.cancel(builds.map(({ id }) => id))

  assert.deepEqual(early, [own.id])
  assert.deepEqual(
    [started, states],
    [
      [own.id, left.id, fresh.id],
      ['queued', 'running', 'queued'],
    ],
  )
})

test('builds that wait in the queue of this process are not read again', async (t) => {
  const { user, builds } = await addBuilds('carol', ['a', 'b'])
  const { context, close } = openQueue()
  context.queue.add(builds, { ownerId: user.id })
  const { mock } = t.mock.method(host.deps.store.builds, 'listQueued')
  const { signal } = new AbortController()
  await takeUpAbandoned(context, { ...HERE, signal, now: Date.now() + 61_000 })
  await close()
  await host.deps.store.builds.cancel(builds.map(({ id }) => id))
  assert.equal(mock.callCount(), 0)
})

test('a build whose worker is lost three times fails with a message', async () => {
  const { builds } = await addBuilds('bob', ['heavy'])
  const [build] = builds
  assert.ok(build)
  const { store } = host.deps
  const { started, context, close } = openQueue()
  const { signal } = new AbortController()
  const states: unknown[] = []
  for (let turn = 0; turn < 3; turn++) {
    await store.buildLeases.take(build.id, { worker: `w${turn}`, leaseMs: 1_000 })
    await takeUpAbandoned(
      { ...context, queue: { ...context.queue, has: () => false } },
      { ...HERE, signal, now: Date.now() + 2_000 },
    )
    states.push((await store.builds.find(build.id))?.state)
  }
  const errors = (await store.builds.find(build.id))?.errors.map(({ message }) => message)
  await close()
  assert.deepEqual(
    [states, started, errors],
    [
      ['queued', 'queued', 'failed'],
      [build.id, build.id],
      [
        'The build was started 3 times, and each time its worker stopped responding. ' +
          'Build again. If it fails again, ask the administrator to check the worker logs.',
      ],
    ],
  )
})
