import { oneFile, quick, type HostileInput } from '../hostile-input.ts'

const HALF = 512 * 1024 - 10
const MB = 1024 * 1024 - 10

/** A file name for each grammar of the highlighter. */
const names =
  'a.sh a.bib a.c a.cpp a.css a.diff a.f90 a.go a.hs a.ini a.java a.js a.json a.jl b.tex a.lua Makefile b.md a.m a.pl a.py a.r a.rb a.rs a.sql a.ts a.xml a.yml'

/** Hard for every grammar: opens everything and ends nothing. */
const openers = '{[("\'`<$#\\%/*@-- '
const code = `${openers}a.b=c::d|e&f~g;`

const perLanguage = names.split(' ').map((path) => {
  const ending = path.replace('a.', '').replace('b.', '')
  return oneFile(`source-${ending}`, path, code.repeat(HALF / 2 / code.length))
})

/** Files that are slow for other reasons. */
const texts: Readonly<Record<string, readonly [path: string, text: string]>> = {
  newlines: ['a.txt', '\n'.repeat(MB)],
  'newlines-in-color': ['b.tex', '\n'.repeat(HALF)],
  quotes: ['a.txt', '"'.repeat(MB)],
  'one-line': ['a.txt', 'a'.repeat(MB)],
  'one-line-of-numbers': ['a.json', '1,'.repeat(HALF / 2)],
  'short-lines': ['a.txt', 'a\n'.repeat(MB / 2)],
  'carriage-returns': ['a.txt', '\r'.repeat(MB)],
  latin: ['a.txt', '\u00e9\u0080'.repeat(MB / 4)],
  braces: ['b.tex', '{'.repeat(HALF)],
  backslashes: ['b.tex', '\\'.repeat(HALF)],
  dollars: ['b.tex', '$'.repeat(HALF)],
  commands: ['b.tex', '\\a{b}[c]%d\n'.repeat(HALF / 12)],
  verbatim: ['b.tex', '\\begin{verbatim}'.repeat(HALF / 16)],
  'bib-braces': ['a.bib', `@a{b,c={${'{'.repeat(HALF - 20)}`],
  'bib-entries': ['a.bib', '@a{b,c="'.repeat(HALF / 8)],
  'xml-tags': ['a.xml', '<a b="c" '.repeat(HALF / 9)],
  'xml-comments': ['a.xml', '<!--'.repeat(HALF / 4)],
  'perl-strings': ['a.pl', 'q{'.repeat(HALF / 2)],
  'shell-heredocs': ['a.sh', '<<A\n'.repeat(HALF / 4)],
  'javascript-expressions': ['a.js', '/a'.repeat(HALF / 2)],
  'markdown-source': ['b.md', '*_`['.repeat(60_000)],
  svg: ['a.svg', `<svg>${'<g>'.repeat(100_000)}`],
  notebook: ['a.ipynb', `{"cells":${'['.repeat(200_000)}`],
}

const quickNames: ReadonlySet<string> = new Set(['newlines', 'quotes', 'braces'])

/** Sources. */
export const sourceInputs: readonly HostileInput[] = [
  ...perLanguage,
  ...Object.entries(texts).map(([name, [path, text]]) => {
    const input = oneFile(`source-${name}`, path, text)
    return quickNames.has(name) ? quick(input) : input
  }),
]
