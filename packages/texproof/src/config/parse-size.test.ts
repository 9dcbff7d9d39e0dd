import assert from 'node:assert/strict'
import { it } from 'node:test'

import { parseSize } from './parse-size.ts'

it('parseSize reads bytes, and k, m, g as powers of 1024', () => {
  assert.deepEqual(['1', '64k', '500m', '2G'].map(parseSize), [1, 65_536, 524_288_000, 2_147_483_648])
})

it('parseSize refuses nothing, fractions and other units', () => {
  assert.deepEqual(['', '0', '1.5g', '-1', '10t', 'm', '1 m'].map(parseSize), Array(7).fill(null))
})
