import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parseFiles } from './parse-files.ts'

const keep = (content: unknown): unknown => content

describe('parseFiles', () => {
  test('reads an object in order', () => {
    assert.deepEqual(
      [...parseFiles({ b: 1, a: 2 }, keep)],
      [
        ['b', 1],
        ['a', 2],
      ],
    )
  })

  for (const nothing of [undefined, null, {}]) {
    test(`takes ${JSON.stringify(nothing)} for no files`, () => assert.deepEqual(parseFiles(nothing, keep), new Map()))
  }

  test('accepts __proto__ and constructor as ordinary names', () => {
    const files = JSON.parse('{"__proto__": 1, "constructor": 2}')
    assert.deepEqual(
      [...parseFiles(files, keep)],
      [
        ['__proto__', 1],
        ['constructor', 2],
      ],
    )
  })

  test('accepts an object without a prototype', () => {
    assert.deepEqual([...parseFiles(Object.assign(Object.create(null), { a: 1 }), keep)], [['a', 1]])
  })

  for (const wrong of [[], ['a'], 'a', 7, true, new Map([['a', 1]]), new Uint8Array(2), new Date(0)]) {
    test(`refuses ${Object.prototype.toString.call(wrong)} ${String(wrong)}`, () => {
      assert.throws(() => parseFiles(wrong, keep), { name: 'CompileInputError', code: 'INVALID_INPUT', path: 'files' })
    })
  }

  test('keeps two names that differ only in case', () => {
    assert.equal(parseFiles({ 'a.tex': 1, 'A.tex': 2 }, keep).size, 2)
  })

  test('rejects two spellings of one name', () => {
    assert.throws(() => parseFiles({ 'é.tex': 1, 'e\u0301.tex': 2 }, keep), {
      code: 'BAD_FILENAME',
      message: /listed twice/,
    })
  })

  for (const [file, inside] of [
    ['a', 'a/b'],
    ['a/b', 'a/b/c/d'],
  ] as const) {
    test(`refuses ${file} beside ${inside}, in either order`, () => {
      const clash = { code: 'BAD_FILENAME', message: /which is also a file/ }
      assert.throws(() => parseFiles({ [file]: 1, [inside]: 2 }, keep), clash)
      assert.throws(() => parseFiles({ [inside]: 1, [file]: 2 }, keep), clash)
    })
  }
})
