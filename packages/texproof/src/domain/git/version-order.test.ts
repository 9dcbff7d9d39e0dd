import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { compareVersionsDescending, findNewestVersion, sortByVersionDescending } from './version-order.ts'

/** Each list is in the correct order. */
const ordered = [
  ['v2.0.0', 'v2.0.0-alpha.4', 'v2.0.0.-alpha.3', 'v2.0.0-alpha.2'],
  ['v1.40', 'v1.40a4'],
  ['v1.44.1', 'v1.44'],
  ['v1.0.0', 'v1.0.0-rc.10', 'v1.0.0-rc.2', 'v1.0.0-beta', 'v1.0.0-alpha'],
  ['workflow_dispatch_tag', 'v2.0.0-alpha.4', 'v1.40', 'v0.1', '1.35'],
  ['v1', 'nightly', '1.35'],
  ['v10', 'v9', 'v1'],
  ['v18446744073709551616', 'v18446744073709551615', 'v999999999999999'],
  ['release-2024', 'release'],
  ['v1.0.0\u{1F600}', 'v1.0.0\uE000', 'v1.0.0'],
]

for (const names of ordered) {
  test(`tags are ordered ${names.join(' > ')}`, () => {
    const shuffled = names.toReversed().map((name) => ({ name }))
    assert.deepEqual(
      sortByVersionDescending(shuffled).map((tag) => tag.name),
      names,
    )
  })
}

test('findNewestVersion() finds the first in the order of versions', () => {
  const found = [...ordered, []].map((names) => findNewestVersion(names.toReversed().map((name) => ({ name }))))
  assert.deepEqual(found, [...ordered.map(([name]) => ({ name })), null])
})

const tagName = fc.stringMatching(/^[a-b]{0,2}[0-2.a\-b]{0,6}$/)

test('the order of versions is total: antisymmetric, transitive, and equal for equal names only', () => {
  fc.assert(
    fc.property(tagName, tagName, tagName, (a, b, c) => {
      const sign = (x: string, y: string) => Math.sign(compareVersionsDescending(x, y))
      assert.equal(sign(a, b) + sign(b, a), 0)
      assert.equal(sign(a, b) === 0, a === b)
      if (sign(a, b) <= 0 && sign(b, c) <= 0) assert.ok(sign(a, c) <= 0)
    }),
    { numRuns: 2_000 },
  )
})
