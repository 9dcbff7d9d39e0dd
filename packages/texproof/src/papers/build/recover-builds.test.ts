import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'

import { openPaperHost, type PaperHost } from '../../../test/support/hosts/paper-host.ts'
import type { Build } from '../../domain/build.ts'
import { createPdfStore } from '../cache/pdf-store.ts'
import { createBuildQueue } from './build-queue.ts'
import { takeUpAbandoned } from './recover-builds.ts'

let host: PaperHost

before(async () => {
  host = await openPaperHost()
})
after(() => host.close())

test('only a build whose lease has expired is recovered', async () => {
  const { user } = await host.addUser('alice')
  const repository = await host.addRepository(user, 'tides')
  const { store } = host.deps
  const add = (document: string): Promise<Build> =>
    store.builds.add({
      repositoryId: repository.id,
      ref: 'refs/tags/v1',
      commitId: '1'.repeat(40),
      treeId: '2'.repeat(40),
      rootFile: `${document}.tex`,
      document,
      engine: 'pdflatex',
      bibliography: 'none',
      reason: 'the only document',
    })
  const [left, own, fresh] = [await add('left'), await add('own'), await add('fresh')]
  for (const build of [left, own]) await store.builds.setRunning(build.id)
  const started: number[] = []
  const hold = Promise.withResolvers<undefined>()
  const queue = createBuildQueue({
    concurrency: 9,
    run: async ({ id }) => {
      started.push(id)
      await hold.promise
    },
    cancel: (ids) => store.builds.cancel(ids),
    requeue: (id) => store.builds.requeue(id),
    onFault: assert.ifError,
  })
  queue.add([own], { ownerId: user.id })
  const context = { ...host.deps, pdfs: createPdfStore(host.deps.config.dataDir), queue }
  const { signal } = new AbortController()

  await takeUpAbandoned(context, { leaseMs: 60_000, signal })
  const early = [...started]
  await takeUpAbandoned(context, { leaseMs: -1_000, signal })
  const states = await Promise.all([left, own, fresh].map(async ({ id }) => (await store.builds.find(id))?.state))
  hold.resolve(undefined)
  await queue.close()

  assert.deepEqual(early, [own.id])
  assert.deepEqual(
    [started, states],
    [
      [own.id, left.id],
      ['queued', 'running', 'queued'],
    ],
  )
})
