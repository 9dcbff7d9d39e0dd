import { article } from '../documents.ts'
import type { HostileCase, HostileRequest } from '../hostile-case.ts'

const REFUSED: readonly string[] = [
  '../escaped.tex',
  'a/../../escaped.tex',
  'a/b/../../../escaped.tex',
  '..',
  '.',
  './main2.tex',
  '/tmp/escaped.tex',
  '//tmp/escaped.tex',
  'C:/escaped.tex',
  '..\\escaped.tex',
  'a\\..\\..\\escaped.tex',
  '',
  'a//b.tex',
  'a/',
  '/',
  'a\0.tex',
  'a\n.tex',
  'a\r.tex',
  'a\t.tex',
  'a\u001b[31m.tex',
  'a\u007f.tex',
  'a\u0085.tex',
  'a\u200b.tex',
  'a\u202exet.png',
  '\ud800.tex',
  `a${'\u0301\u0323'.repeat(100_000)}.tex`,
  '-shell-escape',
  '--output-directory=/tmp',
  'sub/-x.tex',
  '.hidden',
  'sub/.hidden',
  '~/x.tex',
  '~root/x.tex',
  '|id',
  '|id > <DROP>/name',
  'a"b.tex',
  'a`id`.tex',
  'a*b.tex',
  'a?b.tex',
  '\u2025/x.tex',
  'a\uff0f..\uff0fx.tex',
  'main.tex',
  'MAIN.TEX',
  'main.pdf/x',
  'main.log/x',
  'main.fls/x',
  'main.synctex.gz/x',
  `${'a'.repeat(300)}.tex`,
  Array.from({ length: 40 }, () => 'd').join('/'),
]

const named = (files: NonNullable<HostileRequest['files']>): HostileRequest => ({ source: article('x'), files })

/** File names that must never become paths, and harmless names that must work. */
export const NAME_CASES: readonly HostileCase[] = [
  ...REFUSED.map((file, index): HostileCase => {
    return { name: `name-refused-${index + 1}`, request: named([[file, 'escaped']]), outcome: 'refused', isQuick: true }
  }),
  {
    name: 'name-file-and-folder',
    request: named([
      ['a', 'x'],
      ['a/b', 'x'],
    ]),
    outcome: 'refused',
  },
  {
    name: 'name-composed-twice',
    request: named([
      ['r\u00e9.tex', 'x'],
      ['re\u0301.tex', 'x'],
    ]),
    outcome: 'refused',
  },
  {
    name: 'name-prototype',
    request: named([
      ['__proto__', 'x'],
      ['constructor', 'x'],
    ]),
    outcome: 'compiles',
  },
  {
    name: 'name-too-many',
    request: named(Array.from({ length: 51 }, (_, index) => [`f${index}.tex`, 'x'] as const)),
    outcome: 'refused',
  },
  { name: 'name-too-large', request: named([['large.bin', new Uint8Array(25_000_001)]]), outcome: 'refused' },
]
