import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listInReadingOrder } from './list-in-reading-order.ts'
import { createSourceTexts } from './source-texts.ts'

/** The parts as `file:from-to`; the last part of a file ends at its end. */
function partsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const parts = listInReadingOrder(createSourceTexts(new Map(Object.entries(files))), 'main.tex')
  return parts.map(({ file, from, to }) => `${file}:${from}-${to}`)
}

describe('listInReadingOrder', () => {
  it('continues a file after each one that it loads', () => {
    const files = {
      'a.tex': 'A',
      'main.tex': '\n\\include{z}\n\\input ./a\n',
      'z.tex': 'Z\n\\import{s/}{b}',
      's/b.tex': 'B',
    }
    assert.deepEqual(partsOf(files), [
      'main.tex:1-2',
      'z.tex:1-2',
      's/b.tex:1-Infinity',
      'z.tex:3-Infinity',
      'main.tex:3-3',
      'a.tex:1-Infinity',
      'main.tex:4-Infinity',
    ])
  })

  it('repeats no file, and ends with those that are not loaded', () => {
    const files = {
      'main.tex': '\\input{a}\n% \\input{b}\n\\input{c}',
      'a.tex': '\\input{a}\n\\input{main}',
      'b.tex': 'B',
    }
    assert.deepEqual(partsOf(files), ['main.tex:1-1', 'a.tex:1-Infinity', 'main.tex:2-Infinity', 'b.tex:1-Infinity'])
  })

  it('ends at a depth that TeX cannot reach', () => {
    const chain = Array.from({ length: 1_000 }, (_, at) => [`${at}.tex`, `\\input{${at + 1}}`] as const)
    const files = { 'main.tex': '\\input{0}', ...Object.fromEntries(chain) }
    assert.equal(partsOf(files).indexOf('29.tex:1-Infinity'), 30)
  })
})
