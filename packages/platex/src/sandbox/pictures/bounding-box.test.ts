import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readBoundingBox } from './bounding-box.ts'

const read = (lines: readonly string[], end = '\n') => readBoundingBox(Buffer.from(lines.join(end)))
const box = { left: 10, bottom: 20, width: 72, height: 52 }

for (const [what, lines] of [
  ['a line that says EPSF', ['%!PS-Adobe-3.0 EPSF-3.0', '%%Creator: alice', '%%BoundingBox: 10 20 82 72']],
  ['a first line of an old program', ['%!', '%%BoundingBox:10 20 82 72']],
  ['commands for a printer', ['\u0004%!PS-Adobe-2.0', '', '%%BoundingBox: 10 20 82 72 ']],
  [
    'a more exact box, which TeX ignores',
    ['%!PS', '%%HiResBoundingBox: 10.2 20.2 81.9 71.9', '%%BoundingBox: 10 20 82 72'],
  ],
  [
    'a box at the end, after the box of a picture in it',
    [
      '%!PS',
      '%%BoundingBox: (atend)',
      '%%EndComments',
      '%%BeginDocument: logo.eps',
      '%%BoundingBox: 0 0 1 1',
      '%%EndDocument',
      '%%Trailer',
      '%%BoundingBox: 10 20 82 72',
      '%%EOF',
    ],
  ],
] as const)
  test(`readBoundingBox() reads a picture with ${what}`, () => {
    const ends = ['\n', '\r', '\r\n']
    assert.deepEqual(
      ends.map((end) => read(lines, end)),
      [box, box, box],
    )
  })

test('readBoundingBox() reads negative numbers and fractions', () => {
  assert.deepEqual(read(['%!PS', '%%BoundingBox: -10.5 -.5 +9.7 0.8']), {
    left: -10.5,
    bottom: -0.5,
    width: 20.2,
    height: 1.3,
  })
})

test('readBoundingBox() reads the PostScript of a file with a preview for Windows', () => {
  const postScript = Buffer.from('%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 10 20 82 72\n')
  const header = Buffer.alloc(30)
  header.writeUInt32BE(0xc5d0d3c6)
  header.writeUInt32LE(40, 4)
  header.writeUInt32LE(postScript.length, 8)
  assert.deepEqual(readBoundingBox(Buffer.concat([header, Buffer.alloc(10), postScript, Buffer.alloc(10)])), box)
})

for (const [what, lines] of [
  ['no box', ['%!PS', '%%EndComments', '%%BoundingBox: 10 20 82 72']],
  ['a box after the first command', ['%!PS', '0 0 moveto', '%%BoundingBox: 10 20 82 72']],
  ['three numbers', ['%!PS', '%%BoundingBox: 10 20 82']],
  ['other words', ['%!PS', '%%BoundingBox: 10 20 82 7x2']],
  ['no area', ['%!PS', '%%BoundingBox: 10 20 10 72']],
  ['corners in another order', ['%!PS', '%%BoundingBox: 82 72 10 20']],
  ['a size that no sheet has', ['%!PS', '%%BoundingBox: 0 0 100001 1']],
  ['no box at the end', ['%!PS', '%%BoundingBox: (atend)', '%%EndComments']],
  ['no line', ['']],
] as const)
  test(`readBoundingBox() finds no box in a picture with ${what}`, () => {
    assert.equal(read(lines), null)
  })

test('readBoundingBox() reads only the ends of a large file, and only the start of a long line', () => {
  const far = `%!PS\n${'%\n'.repeat(40_000)}%%BoundingBox: 10 20 82 72\n`
  const long = `%!PS\n%%BoundingBox: ${'1'.repeat(60_000)} 20 82 72\n`
  assert.deepEqual(
    [far, long].map((text) => readBoundingBox(Buffer.from(text))),
    [null, null],
  )
})
