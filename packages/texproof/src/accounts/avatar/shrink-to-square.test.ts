import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { shrinkToSquare } from './shrink-to-square.ts'

test('an image of one color stays that color at any size', () => {
  const lengths = fc.integer({ min: 1, max: 40 })
  fc.assert(
    fc.property(lengths, lengths, lengths, (width, height, side) => {
      const data = new Uint8ClampedArray(Buffer.alloc(width * height * 4, Buffer.from([200, 100, 50, 128])))
      const square = shrinkToSquare({ width, height, data }, side)
      assert.deepEqual([...new Set(new Uint32Array(square.data.buffer))], [...new Set(new Uint32Array(data.buffer))])
    }),
  )
})

test('the square is cut from the center', () => {
  const [left, middle, right] = [1, 2, 3].map((value) => [value, value, value, 255])
  const data = new Uint8ClampedArray([left, middle, right].flat().map(Number))
  assert.deepEqual([...shrinkToSquare({ width: 3, height: 1, data }, 1).data], middle)
})

test('transparent pixels do not change the color of their neighbors', () => {
  const data = new Uint8ClampedArray([255, 0, 0, 0, 0, 0, 255, 255, 255, 0, 0, 0, 0, 0, 255, 255])
  assert.deepEqual([...shrinkToSquare({ width: 2, height: 2, data }, 1).data], [0, 0, 255, 128])
})
