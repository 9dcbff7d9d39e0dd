import assert from 'node:assert/strict'
import { test } from 'node:test'

import fc from 'fast-check'

import { createSynctexReader } from './create-synctex-reader.ts'
import { findPagePlace } from './find-page-place.ts'
import { findSourceLine } from './find-source-line.ts'
import type { SynctexIndex } from './types.ts'

/** Two lines of text on page 1, one of an included file on page 2; one point is 65782 units. */
const SAMPLE = `SyncTeX Version:1
Input:1:main.tex
Input:2:/usr/share/texmf/article.cls
Output:pdf
Magnification:1000
Unit:1
X Offset:0
Y Offset:0
Content:
!100
{1
[1,9:0,65781760:32890880,65781760,0
(1,4:6578176,6578176:19734528,657818,131564
g1,3:6578176,6578176
k1,4:13156352,=:6578
x1,9:13156352,6578176
g2,40:19734528,6578176
)
(1,6:6578176,13156352:19734528,657818,131564
g1,6:6578176,13156352
)
]
}1
Input:3:sections/einleitung é.tex
{2
(3,2:6578176,6578176:19734528,657818,131564
h3,2:6578176,6578176:0,0,0
)
}2
Postamble:
Count:9
`

function read(text: string, pieceLength = text.length): SynctexIndex {
  const reader = createSynctexReader()
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  for (let at = 0; at < bytes.length; at += Math.max(1, pieceLength)) reader.push(bytes.slice(at, at + pieceLength))
  return reader.finish()
}

const isTex = (path: string): boolean => path.endsWith('.tex')

test('the source line of a point comes from the nearest mark of its line of text', () => {
  const index = read(SAMPLE)
  const at = (x: number, y: number, page = 1) => findSourceLine(index, { page, x, y }, isTex)
  assert.deepEqual(
    [at(105, 98), at(195, 98), at(390, 98), at(150, 198), at(150, 98, 2)],
    [
      { path: 'main.tex', line: 3 },
      { path: 'main.tex', line: 4 },
      { path: 'main.tex', line: 4 },
      { path: 'main.tex', line: 6 },
      { path: 'sections/einleitung é.tex', line: 2 },
    ],
  )
})

test('a point far from any text, and a page that does not exist, have no source line', () => {
  const index = read(SAMPLE)
  assert.deepEqual(
    [findSourceLine(index, { page: 1, x: 150, y: 700 }, isTex), findSourceLine(index, { page: 7, x: 1, y: 1 }, isTex)],
    [null, null],
  )
})

test('a source line is found on its page, and a line without marks by the next one', () => {
  const index = read(SAMPLE)
  const round = (line: number) => {
    const place = findPagePlace(index, { path: 'main.tex', line })
    return place && Object.values(place).map(Math.round)
  }
  assert.deepEqual(
    [round(3), round(5), round(6), round(99)],
    [
      [1, 100, 90, 300, 12],
      [1, 100, 190, 300, 12],
      [1, 100, 190, 300, 12],
      [1, 100, 190, 300, 12],
    ],
  )
})

test('a paragraph on one source line is found where it begins, on the page before', () => {
  const row = (count: number, y: number): string => `(1,8:0,${y}:19734528,657818,0\n${`g1,8:0,${y}\n`.repeat(count)})\n`
  const text = `Input:1:main.tex\nContent:\n{1\n${row(1, 6578176)}${row(8, 7235994)}}\n{2\n${row(10, 6578176)}}\n`
  const place = findPagePlace(read(text), { path: 'main.tex', line: 8 })
  assert.deepEqual(place && Object.values(place).map(Math.round), [1, 0, 100, 300, 10])
})

test('a file without marks has no place', () => {
  assert.equal(findPagePlace(read(SAMPLE), { path: 'other.tex', line: 1 }), null)
})

test('the result does not depend on how the text is split', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), (pieceLength) => {
      assert.deepEqual(read(SAMPLE, pieceLength), read(SAMPLE))
    }),
  )
})

test('any bytes are read without an error, and every result has a valid page and line', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.constantFrom(...SAMPLE.split('\n')),
    fc
      .tuple(fc.constantFrom(...'[(hvkgxr$'), fc.array(fc.integer({ min: -5, max: 2 ** 31 }), { maxLength: 8 }))
      .map(
        ([sign, numbers]) =>
          `${sign}${numbers.slice(0, 2).join(',')}:${numbers.slice(2, 4).join(',')}:${numbers.slice(4).join(',')}`,
      ),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), fc.integer({ min: 0, max: 20 }), (lines, wanted) => {
      const index = read(['Content:', ...lines].join('\n'))
      const source = findSourceLine(index, { page: 1, x: 100, y: 100 }, () => true)
      assert.ok(source === null || source.line >= 1)
      for (const path of index.inputs.values()) {
        const place = findPagePlace(index, { path, line: wanted })
        assert.ok(place === null || Object.values(place).every(Number.isFinite))
      }
    }),
  )
})

test('a line longer than valid SyncTeX is skipped without using memory', () => {
  const reader = createSynctexReader()
  for (let at = 0; at < 1_000; at++) reader.push('x'.repeat(10_000))
  reader.push(`\n${Buffer.from(SAMPLE).toString('latin1')}`)
  assert.deepEqual([...reader.finish().inputs.values()], [...read(SAMPLE).inputs.values()])
})
