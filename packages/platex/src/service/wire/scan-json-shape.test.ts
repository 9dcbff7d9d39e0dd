import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { scanJsonShape } from './scan-json-shape.ts'

const NO_LIMITS = { maxDepth: Infinity, maxStructuralTokens: Infinity }

const scan = (json: string) => scanJsonShape(new TextEncoder().encode(json), NO_LIMITS)

describe('scanJsonShape', () => {
  test('counts nesting and structure of a compile request', () => {
    assert.deepEqual(scan('{"source":"{[","files":{"a":"b"}}'), { depth: 2, structuralTokens: 8 })
  })

  test('ignores structure inside strings, however they end', () => {
    assert.deepEqual(scan(String.raw`["\"{", "\\", "\\\"}", "{"]`), { depth: 1, structuralTokens: 5 })
  })

  test('counts the structure of any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        assert.equal(scan(JSON.stringify(value)).depth, depthOf(value))
      }),
    )
  })

  test('never throws for random bytes', () => {
    fc.assert(fc.property(fc.uint8Array(), (json) => scanJsonShape(json, NO_LIMITS).depth >= 0))
  })

  test('stops at the first token over a limit', () => {
    const json = new TextEncoder().encode('['.repeat(1_000_000))
    assert.deepEqual(scanJsonShape(json, { maxDepth: 4, maxStructuralTokens: 400 }), { depth: 5, structuralTokens: 5 })
  })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
