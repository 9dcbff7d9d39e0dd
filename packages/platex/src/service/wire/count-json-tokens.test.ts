import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { countJsonTokens } from './count-json-tokens.ts'

const count = (json: string) => countJsonTokens(new TextEncoder().encode(json), Infinity)

describe('countJsonTokens', () => {
  test('counts the structure of a compile request', () => {
    assert.equal(count('{"source":"{[","files":{"a":"b"}}'), 8)
  })

  test('ignores structure inside strings, however they end', () => {
    assert.equal(count(String.raw`["\"{", "\\", "\\\"}", "{"]`), 5)
  })

  test('counts the structure of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        assert.equal(count(JSON.stringify(value)), tokensOf(value))
      }),
    )
  })

  test('never throws for random bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (json) => countJsonTokens(json, Infinity) >= 0))
  })

  test('stops at the first token over the limit', () => {
    assert.equal(countJsonTokens(new TextEncoder().encode('['.repeat(1_000_000)), 400), 401)
  })
})

function tokensOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const parts = Object.values(value)
  const separators = Math.max(0, parts.length - 1) + (Array.isArray(value) ? 0 : parts.length)
  return parts.reduce((sum: number, part) => sum + tokensOf(part), 2 + separators)
}
