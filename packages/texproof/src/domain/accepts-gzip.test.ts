import assert from 'node:assert/strict'
import { test } from 'node:test'

import { acceptsGzip } from './accepts-gzip.ts'

const cases: readonly (readonly [header: string | undefined, isAccepted: boolean])[] = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['gzip;q=0', false],
  ['gzip; q=0.000, *', false],
  ['*', true],
  ['*;q=0', false],
  ['gzipped', false],
  ['x-gzip', true],
]
for (const [header, isAccepted] of cases) {
  test(`Accept-Encoding ${header ?? 'omitted'} ${isAccepted ? 'allows' : 'forbids'} gzip`, () => {
    assert.equal(acceptsGzip(header), isAccepted)
  })
}
