import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parseRetryAfter } from './to-remote-error.ts'

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  for (const [value, expected] of [
    [null, null],
    ['', null],
    ['soon', null],
    ['-1', null],
    ['0', 0],
    ['7', 7000],
    [' 7 ', 7000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ] as const) {
    test(`reads ${JSON.stringify(value)} as ${expected}`, () => assert.equal(parseRetryAfter(value, now), expected))
  }
})
