import assert from 'node:assert/strict'
import { it } from 'node:test'

import fc from 'fast-check'

import { closestName } from './closest-name.ts'

it('closestName() finds a name within two edits, in any case, the nearest first', () => {
  const names = ['listen', 'base_url', 'build.timeout']
  assert.deepEqual(
    ['listn', 'LISTEN', 'build.timout', 'bas_ul'].map((name) => closestName(name, names)),
    ['listen', 'listen', 'build.timeout', 'base_url'],
  )
})

it('closestName() returns null if no name is near', () => {
  assert.deepEqual(
    ['registration', 'foo'].map((name) => closestName(name, ['listen', 'log'])),
    [null, null],
  )
})

it('closestName() finds a name with any one character missing', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 20 }), fc.nat(), (name, at) => {
      const cut = at % name.length
      assert.equal(closestName(name.slice(0, cut) + name.slice(cut + 1), [name]), name)
    }),
  )
})
