import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createRowCache } from './row-cache.ts'

const HOUR_MS = 3_600_000

test('rows are drawn again after a minute, and for another view', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: HOUR_MS })
  const cached = createRowCache()
  let count = 0
  const draw = () => ({ rows: String((count += 1)), newestAt: 0 })
  const shown = [await cached(['a'], draw), await cached(['a'], draw), await cached(['b'], draw)]
  t.mock.timers.setTime(HOUR_MS + 60_000)
  assert.deepEqual([...shown, await cached(['a'], draw)], ['1', '1', '2', '3'])
})

test('rows with an age in seconds, and incomplete ones, are always drawn', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: HOUR_MS })
  const cached = createRowCache()
  let count = 0
  const drawFrom = (newestAt: number) => cached([newestAt], () => ({ rows: String((count += 1)), newestAt }))
  const ages = [HOUR_MS - 60_000, HOUR_MS - 60_000, Infinity, Infinity]
  const shown = []
  for (const age of ages) shown.push(await drawFrom(age))
  assert.deepEqual(shown, ['1', '2', '3', '4'])
})
