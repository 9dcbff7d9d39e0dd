import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { CompileInputError } from '../base/errors.ts'
import { parseFileName } from './parse-file-name.ts'

const allowed = [
  'article.cls',
  'refs.bib',
  'figs/p.png',
  'résumé.tex',
  'two words.tex',
  'ch(1).tex',
  'main.aux',
  'main.bbl',
  'main.toc',
  'main.bcf',
  'main.ind',
  'main.gls',
  'sub/main.tex',
  'sub/main.pdf',
  'mainly.tex',
  '__proto__',
  'constructor',
  'a$b.tex',
  '100%.tex',
  'a#b{c}.tex',
  'a~b.tex',
  'a-b.tex',
  'Kapitel_ÄÖÜ.tex',
  '日本語.tex',
  'مقدمة.tex',
  'a..b.tex',
  `${'a'.repeat(251)}.tex`,
  Array.from({ length: 16 }, (_, index) => `d${index}`).join('/'),
]

const refused: readonly (readonly [string, string])[] = [
  ['', 'is empty'],
  ['../x.tex', 'files must be inside'],
  ['a/../../x.tex', 'files must be inside'],
  ['./x.tex', 'files must be inside'],
  ['a/./x.tex', 'files must be inside'],
  ['..', 'files must be inside'],
  ['/etc/passwd', 'is absolute'],
  ['//host/x', 'is absolute'],
  ['C:/x.tex', 'drive letter'],
  ['c:x.tex', 'drive letter'],
  ['a\\b.tex', 'backslash'],
  ['..\\x.tex', 'backslash'],
  ['a//b.tex', 'empty part'],
  ['a/', 'empty part'],
  ['a\0.tex', 'invisible'],
  ['a\n.tex', 'invisible'],
  ['a\t.tex', 'invisible'],
  ['a\u007f.tex', 'invisible'],
  ['a\u0085.tex', 'invisible'],
  ['a\u200b.tex', 'invisible'],
  ['a\u202etex.png', 'invisible'],
  ['\ufeffa.tex', 'invisible'],
  ['a\u2028.tex', 'invisible'],
  ['.latexmkrc', 'starts with a dot'],
  ['a/.hidden', 'starts with a dot'],
  ['-shell-escape', 'starts with -'],
  ['a/-b.tex', 'starts with -'],
  ['~/x.tex', 'starts with ~'],
  ['~root', 'starts with ~'],
  ['|id', 'contains |'],
  ['a|b.tex', 'contains |'],
  ['a"b.tex', 'contains "'],
  ['a`b`.tex', 'contains `'],
  ['a*.tex', 'contains *'],
  ['a?.tex', 'contains ?'],
  ['<x>.tex', 'contains <'],
  ['fig:b.tex', 'contains :'],
  ['\u2024\u2024/x.tex', 'looks like'],
  ['a\uff0fb.tex', 'looks like'],
  ['a\u2215b.tex', 'looks like'],
  ['a/ /b', 'consists of spaces'],
  ['\ud800.tex', 'not valid Unicode'],
  ['main.tex', 'is reserved for the field source'],
  ['MAIN.TEX', 'is reserved for the field source'],
  ['main.tex/x', 'is reserved for the field source'],
  ['main.pdf/x', 'writes a file with this name'],
  ['texmf.cnf', 'configuration file'],
  ['sub/TeXmf.cnf', 'configuration file'],
  ['texmf/dvipdfmx/dvipdfmx.cfg', 'configuration file'],
  [`${'a'.repeat(252)}.tex`, 'longer than 255 bytes'],
  [Array.from({ length: 17 }, () => 'd').join('/'), 'deeper than 16'],
  [Array.from({ length: 10 }, () => 'd'.repeat(110)).join('/'), 'longer than 1024 bytes'],
  [`a${'\u0301\u0323'.repeat(16)}.tex`, 'more than 30 combining marks'],
  // Would need minutes to normalize.
  [`a${'\u0301\u0323'.repeat(200_000)}.tex`, 'more than 30 combining marks'],
]

describe('parseFileName', () => {
  for (const name of allowed) {
    test(`takes ${JSON.stringify(name.slice(0, 60))}`, () => assert.equal(parseFileName(name), name.normalize('NFC')))
  }

  for (const [name, complaint] of refused) {
    test(`refuses ${JSON.stringify(name.slice(0, 60))}: ${complaint}`, () => {
      assert.throws(
        () => parseFileName(name),
        (error) =>
          error instanceof CompileInputError && error.code === 'BAD_FILENAME' && error.message.includes(complaint),
      )
    })
  }

  test('composes decomposed letters', () => {
    assert.equal(parseFileName('re\u0301sume\u0301.tex'), 'résumé.tex')
  })

  test('escapes invisible characters of the name in its message', () => {
    assert.throws(() => parseFileName('a\u202e\0.tex'), {
      message: 'file name "a\\u{202e}\\u0000.tex" contains an invisible or control character',
    })
  })

  test('returns a path inside the workspace or throws, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (input) => {
        const name = nameOrNull(input)
        return name === null || new URL(`file:///w/${encodeURI(name)}`).pathname.startsWith('/w/')
      }),
    )
  })

  test('accepts its own result again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (input) => {
        const name = nameOrNull(input)
        return name === null || parseFileName(name) === name
      }),
    )
  })
})

function nameOrNull(input: string): string | null {
  try {
    return parseFileName(input)
  } catch (error) {
    assert.ok(error instanceof CompileInputError)
    return null
  }
}
