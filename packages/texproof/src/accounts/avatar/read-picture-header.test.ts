import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { drawJpeg, drawPng, drawWebp } from '../../../test/support/web/draw-picture.ts'
import type { Color } from '../../../test/support/web/draw-picture.ts'
import { readPictureHeader } from './read-picture-header.ts'

const ink: Color = [30, 30, 30, 255]

test('the header of every format contains the size', async () => {
  const size = { width: 33, height: 17 }
  const files = [drawPng(size, ink), await drawJpeg(size, ink), await drawWebp(size, ink)]
  assert.deepEqual(
    files.map((file) => readPictureHeader(file)),
    (['png', 'jpeg', 'webp'] as const).map((format) => ({ format, ...size, isAnimated: false, isWhole: true })),
  )
})

test('no input throws, including one with a valid signature', async () => {
  const size = { width: 8, height: 8 }
  const starts = [Buffer.alloc(0), drawPng(size, ink), await drawJpeg(size, ink), await drawWebp(size, ink)]
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.nat({ max: 60 }),
      fc.uint8Array({ maxLength: 60 }),
      (start, length, noise) => {
        readPictureHeader(Buffer.concat([start.subarray(0, length), noise]))
      },
    ),
  )
})
