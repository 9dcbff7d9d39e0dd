import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { parseMain } from './parse-main.ts'

describe('parseMain', () => {
  for (const name of ['two words.tex', 'a$b#c{d}&e.tex', 'a^b_c.tex', '50% ~x^^y  z/a.tex']) {
    test(`takes ${JSON.stringify(name)}`, () => assert.equal(parseMain(name), name))
  }

  for (const [name, shown] of [
    ['a%b.tex', '"%"'],
    ['a~b.tex', '"~"'],
    ['a^^b.tex', '"^^"'],
    ['sub/a  b.tex', 'two spaces in a row'],
  ] as const) {
    test(`refuses ${JSON.stringify(name)}, which TeX cannot read as a root file`, () => {
      assert.throws(() => parseMain(name), {
        code: 'INVALID_INPUT',
        path: 'main',
        message: `main has ${shown} in its file name, which TeX cannot read: rename the file`,
      })
    })
  }

  test('names the field main in the error for an unsafe path', () => {
    assert.throws(() => parseMain('../a.tex'), {
      code: 'BAD_FILENAME',
      path: 'main',
      message: 'file name "../a.tex" has the part ..: files must be inside the project',
    })
  })
})
