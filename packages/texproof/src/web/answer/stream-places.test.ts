import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createStreamPlaces } from './stream-places.ts'

test('places are taken up to the number for one visitor and for all, and can be taken again', () => {
  const places = createStreamPlaces({ total: 3, perVisitor: 2 })
  const first = places.take('alice')
  const granted = [places.take('alice'), places.take('alice'), places.take('bob'), places.take('bob')]
  first?.()
  const later = [places.take('bob'), places.take('bob')]
  assert.deepEqual(
    [first, ...granted, ...later].map((leave) => leave !== null),
    [true, true, false, true, false, true, false],
  )
})
