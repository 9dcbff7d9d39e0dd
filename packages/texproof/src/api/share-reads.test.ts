import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'

import { oncePerTurn } from './share-reads.ts'

test('oncePerTurn() reads again for other arguments and in the next turn', async () => {
  const reads: string[] = []
  const read = oncePerTurn(async (id: number, name: string) => {
    reads.push(`${id} ${name}`)
    return reads.length
  })
  const first = await Promise.all([read(1, 'a'), read(1, 'b'), read(1, 'a')])
  const later = await read(1, 'b')
  await nextTurn()
  const next = await Promise.all([read(1, 'a'), read(1, 'a')])
  assert.deepEqual(
    { reads, first, later, next },
    { reads: ['1 a', '1 b', '1 a'], first: [1, 2, 1], later: 2, next: [3, 3] },
  )
})

test('oncePerTurn() reads again in the turn after a failure', async () => {
  let count = 0
  const read = oncePerTurn(async () => {
    count += 1
    if (count === 1) throw new Error('unreadable')
    return count
  })
  const failures = await Promise.allSettled([read(), read()])
  await nextTurn()
  assert.deepEqual([failures.map(({ status }) => status), await read()], [['rejected', 'rejected'], 2])
})
