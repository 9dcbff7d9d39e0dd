import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import { createTestDatabase } from '../../../test/support/database/test-database.ts'
import { openStore } from '../store.ts'

test('of many concurrent calls that add or replace a setting, one succeeds', async (context) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'texproof-settings-'))
  const place = { dataDir, databaseUrl: await createTestDatabase(dataDir) }
  const stores = await Promise.all([openStore(place), openStore(place)])
  context.after(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await rm(dataDir, { recursive: true })
  })
  const [first, second] = stores.map(({ settings }) => settings)
  assert.ok(first !== undefined && second !== undefined)
  const added = await Promise.all([first.add('demo', 'a'), second.add('demo', 'b'), first.add('demo', 'c')])
  const from = (await first.find('demo')) ?? ''
  const replaced = await Promise.all([
    first.replace('demo', { from, to: 'd' }),
    second.replace('demo', { from, to: null }),
    second.replace('demo', { from, to: 'e' }),
  ])
  const count = (answers: readonly boolean[]): number => answers.filter(Boolean).length
  assert.deepEqual([count(added), count(replaced)], [1, 1])
})
