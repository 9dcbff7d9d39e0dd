import assert from 'node:assert/strict'
import { test } from 'node:test'
import { digestPages } from './digest-pages.ts'
import { findPageOfLine } from './find-page-of-line.ts'

/** A PDF with the given page contents; `shift` moves all object numbers. */
function pdfOf(contents: readonly string[], shift = 0): Buffer {
  const kids = contents.map((_, index) => `${10 + shift + index} 0 R`).join(' ')
  const objects = [
    `${1 + shift} 0 obj\n<</Type/Catalog/Pages ${2 + shift} 0 R>>\nendobj`,
    `${2 + shift} 0 obj\n<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>\nendobj`,
    ...contents.map(
      (_, index) =>
        `${10 + shift + index} 0 obj\n<</Type/Page/Parent ${2 + shift} 0 R/Contents ${50 + shift + index} 0 R>>\nendobj`,
    ),
    ...contents.map(
      (content, index) =>
        `${50 + shift + index} 0 obj\n<</Length ${content.length}>>\nstream\n${content}\nendstream\nendobj`,
    ),
  ]
  return Buffer.from(`%PDF-1.5\n${objects.join('\n')}\n%%EOF`)
}

test('pages with other content have other digests', () => {
  const [one, other] = [digestPages(pdfOf(['a', 'b'])), digestPages(pdfOf(['a', 'c']))]
  assert.deepEqual([one.length, one[0] === other[0], one[1] === other[1]], [2, true, false])
})

test('object numbers do not change digests', () => {
  assert.deepEqual(digestPages(pdfOf(['a', 'b'], 100)), digestPages(pdfOf(['a', 'b'])))
})

test('a stream may contain the words that end one', () => {
  assert.equal(digestPages(pdfOf(['endstream endobj', 'b'])).length, 2)
})

test('what is no PDF has no pages', () => {
  assert.deepEqual(digestPages(Buffer.from('tides')), [])
})

const synctex = Buffer.from(
  'SyncTeX Version:1\nInput:1:main.tex\nInput:2:part.tex\nInput:3:größe.tex\n{1\nx1,3:0,0\n}1\n{2\nx1,9:0,0\nx2,3:0,0\nx3,1:0,0\n}2\n',
)

for (const [file, line, place] of [
  ['main.tex', 3, { page: 1, nextPageLine: 9 }],
  ['main.tex', 8, { page: 2, nextPageLine: null }],
  ['part.tex', 1, { page: 2, nextPageLine: null }],
  ['größe.tex', 1, { page: 2, nextPageLine: null }],
  ['none.tex', 1, null],
] as const) {
  test(`line ${line} of ${file} is on page ${place?.page ?? null}`, () => {
    assert.deepEqual(findPageOfLine(synctex, { file, line }), place)
  })
}

test('a list of pages that is one long number takes linear time', () => {
  const pdf = Buffer.from(
    pdfOf(['a'])
      .toString()
      .replace('Kids[', `Kids[${'1'.repeat(1_000_000)} `),
  )
  assert.deepEqual(digestPages(pdf), digestPages(pdfOf(['a'])))
})

test('a dictionary of many lists without an end takes linear time', () => {
  const pdf = Buffer.from(
    pdfOf(['a'])
      .toString()
      .replace('Kids[', `Other${'/Kids['.repeat(200_000)}`),
  )
  assert.equal(digestPages(pdf).length, 1)
})

test('many objects without a stream take linear time', () => {
  const others = Array.from({ length: 100_000 }, (_, index) => `${1000 + index} 0 obj\n<</A 1>>\nendobj\n`).join('')
  const pdf = Buffer.concat([pdfOf(['a']), Buffer.from(others)])
  assert.deepEqual(digestPages(pdf), digestPages(pdfOf(['a'])))
})
