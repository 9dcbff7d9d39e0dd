import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { decodeLine } from './decode-line.ts'

describe('decodeLine', () => {
  it("reads UTF-8, TeX's caret notation of it, and Western European bytes", () => {
    assert.equal(decodeLine(Buffer.from('chapître').toString('latin1')), 'chapître')
    assert.equal(decodeLine('chap^^c3^^aetre'), 'chapître')
    assert.equal(decodeLine('chap\u00eetre'), 'chapître')
  })

  it('keeps carets that are not an encoded character', () => {
    assert.equal(decodeLine('^^M and ^^e9'), '^^M and ^^e9')
  })
})
