import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { openStore, type Store } from '../store.ts'

// A table of a host that has grown has rows by the hundred thousand, and SQLite runs on the main thread. These tests
// compare how SQLite reads tables, because their tables are too small for a difference in time.

/** How SQLite reads its tables for the queries of `run`, without sorting. */
async function planOf(dataDir: string, run: (store: Store) => Promise<unknown>): Promise<readonly string[]> {
  const statements = new Set<string>()
  const store = await openStore({ dataDir, beforeStatement: (text) => void statements.add(text) })
  statements.clear()
  await run(store).finally(() => store.close())
  const database = new DatabaseSync(join(dataDir, 'texproof.db'), { readOnly: true })
  try {
    return [...statements]
      .filter((text) => /^\s*(select|with) /.test(text))
      .flatMap((text) => database.prepare(`explain query plan ${text}`).all())
      .map(({ detail }) => String(detail))
      .filter((detail) => / (build|push|account_event)\b/.test(detail))
  } finally {
    database.close()
  }
}

test('lists of builds read an index instead of the rows of all builds', async (t) => {
  const dataDir = makeFolder(t)
  const week = { since: 0, limit: 10 }
  assert.deepEqual(
    {
      unwell: await planOf(dataDir, ({ builds }) => builds.listUnwell([1, 2], { limit: 60 })),
      lastIds: await planOf(dataDir, ({ builds }) => builds.listLastIds(1)),
      inProgress: await planOf(dataDir, ({ builds }) => builds.listInProgress(1)),
      tally: await planOf(dataDir, ({ admin }) => admin.tallyBuilds(week)),
      slowest: await planOf(dataDir, ({ admin }) => admin.listSlowestBuilds(week)),
      failing: await planOf(dataDir, ({ admin }) => admin.listFailingRepositories(week)),
      runs: await planOf(dataDir, ({ quotas }) => quotas.measureRuns('u1', { since: 0, now: 1 })),
    },
    {
      unwell: [
        'SEARCH build USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH build USING COVERING INDEX build_ref (repository_id=?)',
      ],
      lastIds: ['SEARCH build USING COVERING INDEX build_ref (repository_id=?)'],
      inProgress: ['SEARCH build USING INDEX build_repository_state (repository_id=? AND state=?)'],
      tally: ['SEARCH build USING COVERING INDEX build_state (state=? AND created_at>?)'],
      slowest: [
        'SEARCH build USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH build USING COVERING INDEX build_state (state=? AND created_at>?)',
      ],
      failing: ['SEARCH build USING COVERING INDEX build_state (state=? AND created_at>?)'],
      runs: [
        'SEARCH build USING INDEX build_finished (repository_id=? AND finished_at>?)',
        'SEARCH build USING COVERING INDEX build_state (state=?)',
      ],
    },
  )
})

test('the newest pushes of each repository are read from an index', async (t) => {
  const dataDir = makeFolder(t)
  const plan = await planOf(dataDir, ({ pushes }) => pushes.listByOthers([1, 2], { userId: 'u1', limit: 60 }))
  assert.deepEqual(plan, [
    'SEARCH push USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH push USING COVERING INDEX push_repository (repository_id=?)',
    'SEARCH push USING COVERING INDEX push_repository (repository_id=?)',
  ])
})

test('the audit log is filtered through indexes', async (t) => {
  const dataDir = makeFolder(t)
  const any = { kind: null, involvedId: null, since: null, until: null }
  const window = { limit: 100, beforeId: null }
  assert.deepEqual(
    {
      kinds: await planOf(dataDir, ({ events }) => events.listKinds()),
      ofKind: await planOf(dataDir, ({ events }) => events.search({ ...any, kind: 'user-disabled' }, window)),
      ofUser: await planOf(dataDir, ({ events }) => events.search({ ...any, involvedId: 'u1' }, window)),
      lastActivity: await planOf(dataDir, ({ admin }) => admin.findUserActivity(['u1', 'u2'])),
    },
    {
      kinds: [
        'SEARCH account_event USING COVERING INDEX account_event_kind',
        'SEARCH account_event USING COVERING INDEX account_event_kind (kind>?)',
      ],
      ofKind: [
        'SEARCH account_event USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH account_event USING COVERING INDEX account_event_kind (kind=?)',
      ],
      ofUser: [
        'SEARCH account_event USING INTEGER PRIMARY KEY (rowid=?)',
        'SEARCH account_event USING COVERING INDEX account_event_user (user_id=?)',
        'SEARCH account_event USING COVERING INDEX account_event_actor (actor_id=?)',
      ],
      lastActivity: ['SEARCH account_event USING COVERING INDEX account_event_user (user_id=?)'],
    },
  )
})
