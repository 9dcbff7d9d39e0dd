import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'

import { openTestStore } from '../../../test/support/database/open-test-store.ts'
import { exampleNewBuild } from '../../../test/support/example-build.ts'
import { testConfig } from '../../../test/support/hosts/test-config.ts'
import { createBuildMinutesCheck } from './check-build-minutes.ts'

const UNLIMITED = { repositories: null, storageBytes: null, buildMinutes: null, concurrentPushes: null }

/** An owner with a build that is over and one that runs, for a moment each. */
async function openCheck(t: TestContext) {
  const { store, owner, repositoryId } = await openTestStore(t)
  for (const document of ['over', 'running']) {
    const { id } = await store.builds.add(exampleNewBuild({ repositoryId, document }))
    await store.buildLeases.take(id, { worker: 'w', leaseMs: 60_000 })
    const outcome = { state: 'failed', pdfId: null, pageCount: null, errors: [], warnings: [], passes: [] } as const
    if (document === 'over') await store.builds.finish(id, outcome)
  }
  const { mock } = t.mock.method(store.quotas, 'listRuns')
  const check = createBuildMinutesCheck({ config: testConfig, store })
  const setMinutes = (buildMinutes: number | null) =>
    store.quotas.setOverrides(owner.id, { ...UNLIMITED, buildMinutes })
  return { check: () => check(owner), setMinutes, countLists: () => mock.callCount() }
}

test('the check of build minutes lists no builds while some are left', async (t) => {
  const { check, countLists } = await openCheck(t)
  assert.deepEqual([await check(), countLists()], [null, 0])
})

test('builds are refused without build minutes, for one list of builds, until there are more', async (t) => {
  const { check, setMinutes, countLists } = await openCheck(t)
  await setMinutes(0)
  const refusals = [await check(), await check()].map((refusal) => refusal?.split(':')[0])
  await setMinutes(null)
  assert.deepEqual(
    [refusals, countLists(), await check()],
    [['Build minutes used up', 'Build minutes used up'], 1, null],
  )
})

test('the reason names the minutes used and the limit', async (t) => {
  const { check, setMinutes } = await openCheck(t)
  await setMinutes(1)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 12 * 60_000 })
  const refusal = await check()
  assert.equal(
    refusal?.split('. ')[0],
    'Build minutes used up: repositories owned by alice used 12 in 24 hours, and the limit is 1',
  )
})

test('an owner without any build minutes is referred to an administrator, not to a later time', async (t) => {
  const { check, setMinutes } = await openCheck(t)
  await setMinutes(0)
  assert.equal(
    await check(),
    'Build minutes used up: repositories owned by alice used 0 in 24 hours, and the limit is 0. Ask an administrator for build minutes.',
  )
})
