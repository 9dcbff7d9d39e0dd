import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import type { BuildOutcome } from '../../domain/build.ts'
import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import type { BuildLease } from './build-leases.ts'

const HOUR_MS = 3_600_000
const OUTCOME: BuildOutcome = {
  state: 'succeeded',
  pdfId: 'p',
  pageCount: 1,
  errors: [],
  warnings: [],
  passes: [],
}

async function openLeases(context: TestContext) {
  const { store, repositoryId } = await openTestStore(context)
  const addBuild = async (document = 'main'): Promise<number> => {
    const { id } = await store.builds.add(exampleNewBuild({ repositoryId, rootFile: `${document}.tex`, document }))
    return id
  }
  const take = async (buildId: number, worker = 'w1'): Promise<BuildLease> => {
    const lease = await store.buildLeases.take(buildId, { worker, leaseMs: HOUR_MS })
    assert.ok(lease)
    return lease
  }
  return { ...store, addBuild, take }
}

test('only one worker takes a build, and each attempt has a higher number', async (t) => {
  const { buildLeases, addBuild, take } = await openLeases(t)
  const buildId = await addBuild()
  const first = await take(buildId)
  const meanwhile = await buildLeases.take(buildId, { worker: 'w2', leaseMs: HOUR_MS })
  const isReleased = await buildLeases.release(first)
  const second = await take(buildId, 'w2')
  assert.deepEqual(
    [first, meanwhile, isReleased, second],
    [{ buildId, worker: 'w1', attempt: 1 }, null, true, { buildId, worker: 'w2', attempt: 2 }],
  )
})

test('a lease that has been taken over changes nothing', async (t) => {
  const { builds, buildLeases, addBuild, take } = await openLeases(t)
  const buildId = await addBuild()
  const lost = await take(buildId)
  await buildLeases.expire(lost)
  const held = await take(buildId)
  const changes = [
    await buildLeases.renew(lost, { leaseMs: HOUR_MS }),
    await buildLeases.release(lost),
    await buildLeases.expire(lost),
    await buildLeases.isHeld(lost),
    await builds.finish(buildId, OUTCOME, lost),
  ]
  const after = [
    await buildLeases.listHeld([lost, held]),
    await buildLeases.isHeld(held),
    await buildLeases.renew(held, { leaseMs: HOUR_MS }),
    await builds.finish(buildId, OUTCOME, held),
    (await builds.find(buildId))?.state,
  ]
  assert.deepEqual(
    [changes, after],
    [
      [false, false, false, false, false],
      [[held], true, true, true, 'succeeded'],
    ],
  )
})

test('a cancelled build has no lease', async (t) => {
  const { builds, buildLeases, addBuild, take } = await openLeases(t)
  const buildId = await addBuild()
  const lease = await take(buildId)
  await builds.cancel([buildId])
  const changes = [
    await buildLeases.renew(lease, { leaseMs: HOUR_MS }),
    await buildLeases.release(lease),
    await builds.finish(buildId, OUTCOME, lease),
  ]
  assert.deepEqual([changes, (await builds.find(buildId))?.state], [[false, false, false], 'cancelled'])
})

test('listExpired() lists the leases that were not renewed, and countLost() counts those lost before', async (t) => {
  const { buildLeases, addBuild, take } = await openLeases(t)
  const [lost, kept] = [await addBuild('lost'), await addBuild('kept')]
  await buildLeases.expire(await take(lost))
  const again = await take(lost)
  const renewed = await take(kept, 'w2')
  const later = Date.now() + 2 * HOUR_MS
  await buildLeases.renewAll([renewed], { leaseMs: 3 * HOUR_MS })
  assert.deepEqual(
    [
      await buildLeases.listExpired({ now: Date.now() }),
      await buildLeases.listExpired({ now: later }),
      [await buildLeases.countLost(lost), await buildLeases.countLost(kept)],
    ],
    [[], [again], [1, 0]],
  )
})

test('renewAll() renews only the leases it is given, of those that are held', async (t) => {
  const { buildLeases, addBuild, take } = await openLeases(t)
  const [worked, left, retaken] = [
    await take(await addBuild('a')),
    await take(await addBuild('b')),
    await addBuild('c'),
  ]
  const lost = await take(retaken)
  await buildLeases.release(lost)
  const again = await take(retaken)
  await buildLeases.renewAll([worked, lost], { leaseMs: 3 * HOUR_MS })
  assert.deepEqual(await buildLeases.listExpired({ now: Date.now() + 2 * HOUR_MS }), [left, again])
})

test('releaseOf() returns the builds of ended processes to the queue', async (t) => {
  const { builds, buildLeases, addBuild, take } = await openLeases(t)
  const ids = [await addBuild('a'), await addBuild('b'), await addBuild('c')] as const
  await take(ids[0], 'local-1')
  await take(ids[1], 'local-1-77')
  await take(ids[2], 'remote')
  await buildLeases.releaseOf('local-1')
  assert.deepEqual(
    [
      (await builds.listQueued()).map(({ id, startedAt }) => [id, startedAt]),
      (await builds.find(ids[2]))?.state,
      await builds.listQueued({ before: 1 }),
    ],
    [
      [
        [ids[0], null],
        [ids[1], null],
      ],
      'running',
      [],
    ],
  )
})
