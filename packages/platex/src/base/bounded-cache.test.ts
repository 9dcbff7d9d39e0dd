import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cacheKey, createBoundedCache } from './bounded-cache.ts'

const limits = { keptMs: 1_000, maxBytes: 100, maxBytesPerOwner: 60, maxEntriesPerOwner: 3 }
const alice = (key: string) => ({ owner: 'alice', key })
const bob = (key: string) => ({ owner: 'bob', key })

describe('createBoundedCache', () => {
  test('finds an entry for its owner only', () => {
    const cache = createBoundedCache<string>(limits)
    cache.save(alice('paper'), { value: 'PDF', sizeBytes: 10 })
    assert.deepEqual([cache.find(alice('paper')), cache.find(bob('paper'))], ['PDF', undefined])
  })

  test('expires entries', () => {
    let nowMs = 0
    const cache = createBoundedCache<string>(limits, () => nowMs)
    cache.save(alice('paper'), { value: 'PDF', sizeBytes: 10 })
    nowMs = 1_000
    assert.deepEqual([cache.find(alice('paper')), cache.sizeBytes()], [undefined, 0])
  })

  test('evicts the least recently used entries of an owner over the byte limit', () => {
    const cache = createBoundedCache<string>(limits)
    for (const key of ['one', 'two']) cache.save(alice(key), { value: key, sizeBytes: 30 })
    cache.find(alice('one'))
    cache.save(alice('three'), { value: 'three', sizeBytes: 30 })
    assert.deepEqual(
      ['one', 'two', 'three'].map((key) => cache.find(alice(key))),
      ['one', undefined, 'three'],
    )
  })

  test('evicts the least recently used entry of an owner over the entry limit', () => {
    const cache = createBoundedCache<string>(limits)
    for (const key of ['one', 'two', 'three', 'four']) cache.save(alice(key), { value: key, sizeBytes: 1 })
    assert.deepEqual([cache.find(alice('one')), cache.find(alice('four'))], [undefined, 'four'])
  })

  test('limits the bytes of all entries together', () => {
    const cache = createBoundedCache<string>(limits)
    cache.save(alice('paper'), { value: 'PDF', sizeBytes: 60 })
    cache.save(bob('paper'), { value: 'PDF', sizeBytes: 60 })
    assert.deepEqual([cache.find(alice('paper')), cache.find(bob('paper')), cache.sizeBytes()], [undefined, 'PDF', 60])
  })

  test('does not store an entry over the limit of an owner', () => {
    const cache = createBoundedCache<string>(limits)
    cache.save(alice('paper'), { value: 'PDF', sizeBytes: 10 })
    cache.save(alice('book'), { value: 'PDF', sizeBytes: 61 })
    assert.deepEqual([cache.find(alice('paper')), cache.find(alice('book'))], ['PDF', undefined])
  })
})

describe('cacheKey', () => {
  test('differs if the same characters are split differently', () => {
    const keys = [['ab', 'c'], ['a', 'bc'], ['abc'], ['ab', 'c', null]].map((parts) => cacheKey(parts))
    assert.equal(new Set(keys).size, 4)
  })

  test('distinguishes text, bytes and numbers', () => {
    const keys = ['1', 1, new TextEncoder().encode('1')].map((part) => cacheKey([part]))
    assert.equal(new Set(keys).size, 3)
  })
})
