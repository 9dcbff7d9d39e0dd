import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { mapFewAtOnce } from './map-few-at-once.ts'

describe('mapFewAtOnce', () => {
  test('returns the results in the order of the items, whichever ends first', async () => {
    const results = await mapFewAtOnce([3, 1, 2, 0], 2, async (turns) => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      return turns
    })
    assert.deepEqual(results, [3, 1, 2, 0])
  })

  test('never has more items started than the limit', async () => {
    let [started, most] = [0, 0]
    await mapFewAtOnce(Array.from({ length: 20 }), 4, async () => {
      started += 1
      most = Math.max(most, started)
      await nextTurn()
      started -= 1
    })
    assert.equal(most, 4)
  })

  test('rejects with the first error and starts no other item', async () => {
    const fault = new Error('the second fails')
    const started: number[] = []
    const acting = mapFewAtOnce([1, 2, 3, 4], 2, async (item) => {
      started.push(item)
      await nextTurn()
      if (item === 2) throw fault
      await nextTurn()
    })
    await assert.rejects(acting, fault)
    await nextTurn()
    await nextTurn()
    assert.deepEqual(started, [1, 2])
  })

  test('rejects when the items that have started have ended', async () => {
    const ended: number[] = []
    const acting = mapFewAtOnce([1, 2], 2, async (item) => {
      if (item === 1) throw new Error('the first fails')
      await nextTurn()
      ended.push(item)
    })
    await assert.rejects(acting)
    assert.deepEqual(ended, [2])
  })

  test('returns nothing for no items', async () => {
    assert.deepEqual(await mapFewAtOnce([], 4, async () => 1), [])
  })
})
