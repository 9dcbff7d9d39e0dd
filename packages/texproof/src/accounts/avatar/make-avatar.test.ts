import assert from 'node:assert/strict'
import { test } from 'node:test'

import {
  drawJpeg,
  drawPng,
  drawWebp,
  jpegSegment,
  decodeWebp,
  pngChunk,
  pngStart,
} from '../../../test/support/web/draw-picture.ts'
import type { Color } from '../../../test/support/web/draw-picture.ts'
import { makeAvatar } from './make-avatar.ts'

const wide = { width: 64, height: 40 }
const small = { width: 16, height: 16 }
const teal: Color = [20, 120, 130, 255]

function outcomeOf(file: Buffer): ReturnType<typeof makeAvatar> {
  return makeAvatar(new Uint8Array(file))
}

async function avatarOf(file: Buffer): Promise<Uint8Array<ArrayBuffer>> {
  const outcome = await outcomeOf(file)
  assert.equal(outcome.kind, 'made')
  return outcome.kind === 'made' ? outcome.bytes : new Uint8Array()
}

async function refusalOf(file: Buffer): Promise<string> {
  const outcome = await outcomeOf(file)
  return outcome.kind === 'refused' ? outcome.reason : outcome.kind
}

/** Codecs round: a difference of a few steps of 255 is the same color. */
function isNear(color: readonly number[], expected: Color): boolean {
  return color.length === 4 && color.every((value, index) => Math.abs(value - (expected[index] ?? 0)) <= 6)
}

test('a PNG, a JPEG and a WebP each become a square of 256 pixels of the same color', async () => {
  for (const file of [drawPng(wide, teal), await drawJpeg(wide, teal), await drawWebp(wide, teal)]) {
    const { width, height, color } = await decodeWebp(await avatarOf(file))
    assert.deepEqual([width, height, isNear(color, teal)], [256, 256, true])
  }
})

test('a transparent picture stays transparent', async () => {
  const { color } = await decodeWebp(await avatarOf(drawPng(small, [20, 120, 130, 0])))
  assert.equal(color[3], 0)
})

test('only the pixels of a file are kept: no text, no location, no appended file', async () => {
  const secret = 'taken at 54.32 N 10.13 E'
  const page = '<html><script>alert(1)</script><svg onload="alert(1)">'
  const files = [
    Buffer.concat([drawPng(small, teal, [pngChunk('tEXt', `Comment\0${secret}`)]), Buffer.from(page)]),
    Buffer.concat([
      await drawJpeg(small, teal, [
        jpegSegment(0xe1, Buffer.from(`Exif\0\0${secret}`)),
        jpegSegment(0xfe, Buffer.from(page)),
      ]),
      Buffer.from(page),
    ]),
  ]
  for (const file of files) {
    const text = Buffer.from(await avatarOf(file)).toString('latin1')
    assert.deepEqual([text.includes(secret), text.includes('alert'), text.slice(0, 4)], [false, false, 'RIFF'])
  }
})

test('the same image gives the same bytes, whatever its metadata', async () => {
  const plain = await avatarOf(drawPng(small, teal))
  const told = await avatarOf(drawPng(small, teal, [pngChunk('tEXt', 'Author\0alice')]))
  assert.deepEqual(told, plain)
})

test('an image that would decode to gigabytes is refused by its header, before it is decoded', async () => {
  const pixels = pngChunk('IDAT', '')
  const jpeg = await drawJpeg(small, teal)
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc2])) === -1 ? 0xc0 : 0xc2
  jpeg.writeUInt32BE(0xc350c350, jpeg.indexOf(Buffer.from([0xff, frame])) + 5)
  assert.deepEqual(
    [
      await refusalOf(Buffer.concat([pngStart({ width: 50_000, height: 50_000 }), pixels])),
      await refusalOf(Buffer.concat([pngStart({ width: 0xffffffff, height: 0xffffffff }), pixels])),
      await refusalOf(Buffer.concat([pngStart({ width: 5_001, height: 5_000 }), pixels])),
      await refusalOf(jpeg),
    ],
    ['too-many-pixels', 'too-many-pixels', 'too-many-pixels', 'too-many-pixels'],
  )
})

test('a truncated file is refused, in every format', async () => {
  const whole = { width: 200, height: 200 }
  const files = [drawPng(whole, teal), await drawJpeg(whole, teal), await drawWebp(whole, teal)]
  const refusals = await Promise.all(
    files.map((file) => refusalOf(file.subarray(0, file.length - 12 - file.length / 4))),
  )
  assert.deepEqual(refusals, ['unreadable', 'unreadable', 'unreadable'])
})

test('an animated image is refused', async () => {
  const frames = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))
  const still = await drawWebp(small, teal)
  const extension = Buffer.from('VP8X\x0a\0\0\0\x02\0\0\0\x0f\0\0\x0f\0\0', 'latin1')
  const moving = Buffer.concat([still.subarray(0, 12), extension, still.subarray(12)])
  moving.writeUInt32LE(moving.length - 8, 4)
  assert.deepEqual([await refusalOf(drawPng(small, teal, [frames])), await refusalOf(moving)], ['animated', 'animated'])
})

test('the content of a file decides: markup, other formats and noise are not images', async () => {
  const files = [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<html>',
    'GIF89a',
    'BM',
    '%PDF-1.7',
    '\xff\xd8',
    '\x89PNG\r\n\x1a\n',
  ]
  const refusals = await Promise.all(files.map((text) => refusalOf(Buffer.from(text, 'latin1'))))
  assert.deepEqual(
    refusals,
    files.map(() => 'no-picture'),
  )
})

test('a file of more than a megabyte is refused without reading it', async () => {
  assert.equal(await refusalOf(Buffer.concat([drawPng(small, teal), Buffer.alloc(1_048_576)])), 'too-many-bytes')
})

test('the queue of images is bounded', async () => {
  const refusals = await Promise.all(Array.from({ length: 12 }, () => refusalOf(drawPng(small, teal))))
  assert.deepEqual(
    [refusals.filter((reason) => reason === 'made').length, refusals.filter((reason) => reason === 'busy').length],
    [8, 4],
  )
})
