import assert from 'node:assert/strict'
import { test } from 'node:test'

import { readWords, type PageText } from './read-words.browser.ts'

/** A page of 100 × 200 px whose lines are 10 px apart and 5 px per letter. Text after `|` is another piece. */
function pageOf(...lines: readonly string[]): PageText {
  const pieces = lines.flatMap((line, row) => {
    let left = 0
    const texts = line.split('|')
    return texts.map((text, index) => {
      const piece = {
        text,
        left,
        baseline: 10 * (row + 1),
        width: 5 * text.length,
        height: 10,
        endsLine: index === texts.length - 1,
      }
      left += piece.width
      return piece
    })
  })
  return { width: 100, height: 200, pieces }
}

const measure = (text: string): number => text.length
const keysOf = (...pages: readonly PageText[]): readonly string[] => readWords(pages, measure).map(({ key }) => key)

test('words are separated by blanks and line ends', () => {
  assert.deepEqual(keysOf(pageOf('high tide', 'rises')), ['high', 'tide', 'rises'])
})

test('a word that changes its font is one word', () => {
  assert.deepEqual(keysOf(pageOf('re|mark|able tide')), ['remarkable', 'tide'])
})

test('a divided word is one word, with a box on each line', () => {
  const [word] = readWords([pageOf('compu-', 'tation')], measure)
  assert.deepEqual(word, {
    text: 'compu-tation',
    key: 'computation',
    page: 0,
    boxes: [
      { left: 0, top: 1, width: 30, height: 5 },
      { left: 0, top: 6, width: 30, height: 5 },
    ],
  })
})

test('a line may end with an empty piece', () => {
  assert.deepEqual(keysOf(pageOf('compu-|', 'tation of|', 'tides')), ['computation', 'of', 'tides'])
})

test('a compound that is divided at its hyphen equals the same compound on one line', () => {
  assert.deepEqual(keysOf(pageOf('well-', 'known')), keysOf(pageOf('well-known')))
})

test('a dash and a minus are no hyphens', () => {
  assert.deepEqual(keysOf(pageOf('pages 3-', '-2 and -x')), ['pages', '3-', '-2', 'and', '-x'])
})

test('ligatures equal their letters', () => {
  assert.deepEqual(keysOf(pageOf('e\uFB03cient')), ['efficient'])
})

test('page numbers are not part of the text', () => {
  assert.deepEqual(keysOf(pageOf('ebb', 'tide', '12')), ['ebb', 'tide'])
})

test('running heads are not part of the text, whatever number they contain', () => {
  const pages = ['one', 'two', 'three'].map((text, at) => pageOf(`Tides ${at + 1}`, text, 'end'.repeat(at + 1)))
  assert.deepEqual(keysOf(...pages), ['one', 'end', 'two', 'endend', 'three', 'endendend'])
})
