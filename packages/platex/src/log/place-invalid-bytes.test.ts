import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { describe, it } from 'node:test'
import { findInvalidLines, placeInvalidBytes } from './place-invalid-bytes.ts'

/** The place of one error in a project with one file that is not UTF-8. */
function placeOf(message: string, line: number, invalidLines: readonly number[]): string {
  const error = { type: 'error', file: 'a.tex', line, message, context: null, source: 'latex' } as const
  const { errors } = placeInvalidBytes({ errors: [error], warnings: [] }, new Map([['a.tex', invalidLines]]))
  return errors.map((placed) => `${placed.file ?? ''}:${placed.line ?? 0}`).join(' ')
}

describe('placeInvalidBytes', () => {
  const invalid = 'LaTeX Error: Invalid UTF-8 byte sequence (é\\parN).'

  it('keeps a line that is not UTF-8', () => {
    assert.equal(placeOf(invalid, 3, [1, 3, 5]), 'a.tex:3')
  })

  it('finds the last line before a valid one, where the paragraph ends', () => {
    assert.equal(placeOf(invalid, 4, [1, 2, 7]), 'a.tex:2')
  })

  it('keeps a valid line before all that are not UTF-8', () => {
    assert.equal(placeOf(invalid, 4, [7]), 'a.tex:4')
  })

  it('finds the last line of a file that ends inside a character', () => {
    const error = {
      type: 'error',
      file: 'main.tex',
      line: 8,
      message: 'File ended while scanning use of \\UTFviii@three@octets@combine.',
      context: 'l.8 \\include{a}',
      source: 'latex',
    } as const
    const { errors } = placeInvalidBytes({ errors: [error], warnings: [] }, new Map([['a.tex', [4, 6]]]))
    assert.deepEqual(errors, [{ ...error, file: 'a.tex', line: 6 }])
  })
})

describe('findInvalidLines', () => {
  it('finds each line that is not UTF-8', () => {
    const text = Buffer.from('Café\n\xe4\nText\n\xc3\xa4 \xef\xbf\xbd\n\xfc', 'latin1')
    assert.deepEqual(findInvalidLines(text), [1, 2, 5])
  })

  it('finds none in UTF-8', () => {
    assert.deepEqual(findInvalidLines(Buffer.from('Café\n')), [])
  })

  it('finds the first 10,000 lines of a long file', () => {
    assert.equal(findInvalidLines(Buffer.from('\xe4\n'.repeat(1_000_000), 'latin1')).length, 10_000)
  })
})
