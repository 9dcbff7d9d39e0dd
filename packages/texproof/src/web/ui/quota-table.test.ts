import assert from 'node:assert/strict'
import { test } from 'node:test'

import { quotaTable } from './quota-table.ts'

test('every cell of the usage table has text, including for a resource that is not counted', async () => {
  const limits = { repositories: 2, storageBytes: 20e6, buildMinutes: 30, concurrentPushes: 4 }
  const table = await quotaTable({ limits, repositories: 1, storageBytes: 0, buildMs: 0, buildsFreeAt: null })
  const cells = [...String(table).matchAll(/<td[^>]*>([^]*?)<\/td>/g)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]*>/g, ' ').trim(),
  )
  assert.deepEqual([cells.length, cells.filter((cell) => cell === '')], [8, []])
  assert.match(cells.at(-2) ?? '', /not counted/)
})
