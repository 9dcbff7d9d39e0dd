import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLog } from '../parse-log.ts'

type PlaceText = `${string}:${number}`

/** The places of the warnings that LaTeX prints while it reads the auxiliary file, which have no line of their own. */
function placesOf(message: string, source: string): readonly PlaceText[] {
  return placesIn({ 'main.tex': [source] }, message)
}

function placesIn(files: Readonly<Record<string, readonly string[]>>, message: string): readonly PlaceText[] {
  const log = ['This is pdfTeX', '(./main.tex (./main.aux', '', message, '', ') )', ''].join('\n')
  const sources = new Map(Object.entries(files).map(([name, lines]) => [name, lines.join('\n')]))
  const { warnings } = parseLog(log, { rootFile: 'main.tex', sources })
  return warnings.map(({ file, line }): PlaceText => `${file ?? ''}:${line ?? 0}`)
}

const twice = (label: string): string => `LaTeX Warning: Label \`${label}' multiply defined.`
const requested = (name: string): string =>
  `LaTeX Warning: You have requested package \`${name}', but the package provides \`other'.`
const unknown = (key: string): string =>
  `Package biblatex Warning: The following entry could not be found in the database: ${key}`

const cases: readonly (readonly [title: string, message: string, lines: readonly string[], line: number])[] = [
  [
    'finds a label behind text with its name',
    twice('intro'),
    ['\\section{intro}\\label{intro}', '', '\\section{More intro}\\label{intro}'],
    3,
  ],
  ['finds a label whose name is in the name of its command', twice('a'), ['\\label{a}', '\\label{a}'], 2],
  ['finds both labels on one line', twice('a'), ['\\label{a} \\label{a}', '', '\\label{a}'], 1],
  [
    'skips a label that begins with the name',
    twice('fig:1'),
    ['\\label{fig:10}', '\\label{fig:1}', '\\label{fig:1}'],
    3,
  ],
  ['skips a label in a comment', twice('a'), ['\\label{a}', '% \\label{a}', '\\label{a}'], 3],
  [
    'skips labels that \\iffalse hides',
    twice('a'),
    ['\\label{a}', '\\iffalse', '\\label{a}', '% \\fi', '\\label{a} \\fi', '\\label{a}'],
    6,
  ],
  ['finds a label behind another name of \\iffalse', twice('a'), ['\\label{a}', '\\let\\ifb\\iffalse', '\\label{a}'], 3],
  ['finds a label with an option', twice('a'), ['\\label[line]{a}', '\\label[line]{a}'], 2],
  ['finds a label as an option', twice('a'), ['[label=ab, label = a, x]', '[label={a}]'], 2],
  ['finds a label as the last option', twice('a'), ['\\label{a}', '[x,label=a]{t}'], 2],
  ['skips an option that begins with the name', twice('a'), ['\\label{a}', '[label=a b]', '[label={a}]'], 3],
  ['skips a chapter that begins with the name', 'No file chap1.tex.', ['\\include{chap10}', '\\include{chap1}'], 2],
  ['finds a chapter with its extension', 'No file chap1.tex.', ['\\include{chap1a}', '\\input {chap1.tex}'], 2],
  ['finds a chapter with a blank', 'No file a b.tex.', ['\\include{a}', '\\include{a b}'], 2],
  ['finds an input without braces', 'No file a.tex.', ['\\input ab', '\\input a b'], 2],
  ['finds a text file', 'No file a.txt.', ['\\verbatiminput{a}', '\\verbatiminput*{a.txt}'], 2],
  [
    'finds an external document with options',
    'Package xr Warning: No file a.aux',
    ['\\externaldocument{ab}', '\\externaldocument[x-][nocite]{a}'],
    2,
  ],
  [
    'finds a package in a list',
    requested('my/a'),
    ['\\usepackage{my/ab}', '\\RequirePackage[my/a]{x, my/a}'],
    2,
  ],
  ['finds a citation in a list', unknown('a'), ['\\cite{ab,ba}', '\\citep[see a][a]{ ab , a }'], 2],
  ['finds a citation in a list over lines', unknown('a'), ['\\cite{ab,', 'b}', '\\cite*{b,a,', 'c}'], 3],
  [
    'finds a reference in a list',
    "LaTeX Warning: Reference `fig:1' on page 1 undefined.",
    ['\\ref{fig:10}', '\\cref{fig:10, fig:1}'],
    2,
  ],
] // prettier-ignore

describe('placeWarning', () => {
  for (const [title, message, lines, line] of cases) {
    it(title, () => {
      assert.deepEqual(placesOf(message, lines.join('\n')), [`main.tex:${line}`])
    })
  }

  const inputs = ['\\begin{document}', '\\include{z}', '\\include{a}', '\\end{document}']
  const labels = { 'a.tex': ['A', '', '\\label{x}'], 'z.tex': ['Z', '\\label{x}'] }

  it('finds the second label in the order in which TeX reads the files', () => {
    const root = { 'main.tex': inputs }
    assert.deepEqual(placesIn({ ...labels, ...root }, twice('x')), ['a.tex:3'])
    assert.deepEqual(placesIn({ ...root, 'z.tex': labels['z.tex'], 'a.tex': labels['a.tex'] }, twice('x')), ['a.tex:3'])
  })

  it('finds the second label in the root file below the file that has the first', () => {
    const root = { 'main.tex': [...inputs.slice(0, 2), '\\label{x}', '\\end{document}'] }
    assert.deepEqual(placesIn({ ...root, 'z.tex': labels['z.tex'] }, twice('x')), ['main.tex:3'])
  })

  it('skips a label in a file that the root file does not load', () => {
    const root = { 'main.tex': ['\\label{x}', '\\include{z}'] }
    assert.deepEqual(placesIn({ ...labels, ...root }, twice('x')), ['z.tex:2'])
  })

  it('searches a line of 200,000 labels in linear time', () => {
    const source = '\\label[a{label=a{'.repeat(200_000)
    assert.deepEqual(placesOf(twice('a'), source), ['main.tex:1'])
  })
})

/** The places of warnings at the end of the run. The root file loads all other files, except old ones. */
function placesAtEnd(message: string, files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const names = Object.keys(files).filter((name) => !name.startsWith('old'))
  const main = ['\\documentclass{article}', '\\usepackage{a}', '\\usepackage{b}', '\\begin{document}']
  const inputs = names.map((name) => `\\input{${name}}`)
  const log = ['This is pdfTeX', `(./main.tex ${names.map((name) => `(./${name})`).join(' ')} )`, message, ''].join(
    '\n',
  )
  const sources = new Map(Object.entries(files).map(([name, lines]) => [name, lines.join('\n')]))
  sources.set('main.tex', [...main, ...inputs, '\\end{document}'].join('\n'))
  const { warnings } = parseLog(log, { rootFile: 'main.tex', sources })
  return warnings.map(({ file, line }) => `${file ?? ''}:${line ?? 0}`)
}

describe('placeWarning, of groups at the end of the run', () => {
  const brace = (line: number): string =>
    `(\\end occurred inside a group at level 1)\n\n### simple group (level 1) entered at line ${line} ({)\n### bottom level`
  const environment = (line: number): string =>
    `(\\end occurred inside a group at level 1)\n\n### semi simple group (level 1) entered at line ${line} (\\begingroup)\n### bottom level`
  const condition = (line: number): string => `(\\end occurred when \\iftrue on line ${line} was incomplete)`

  it('finds an open brace behind a balanced line of the preamble', () => {
    assert.deepEqual(placesAtEnd(brace(3), { 'a.tex': ['A', '', '{\\bfseries bold'] }), ['a.tex:3'])
  })

  it('finds the file that does not close its brace', () => {
    const files = { 'a.tex': ['A', '{\\small a}'], 'b.tex': ['B', '\\{ {\\small b', 'c}{'] }
    assert.deepEqual(placesAtEnd(brace(2), { ...files, 'c.tex': ['C', '{\\small c'] }), ['c.tex:2'])
  })

  it('finds the file that does not end its environment', () => {
    const files = { 'a.tex': ['\\begin{quote}', '\\end{quote}'], 'b.tex': ['\\begin{quote}', 'B'] }
    assert.deepEqual(placesAtEnd(environment(1), files), ['b.tex:1'])
  })

  it('finds the file that does not close its \\begingroup', () => {
    const files = { 'a.tex': ['\\begingroup', '\\endgroup'], 'b.tex': ['\\begingroup', 'B'] }
    assert.deepEqual(placesAtEnd(environment(1), files), ['b.tex:1'])
  })

  it('finds the file that does not end its condition', () => {
    const files = { 'a.tex': ['\\iftrue a\\fi'], 'b.tex': ['\\iftrue b \\iff \\ifthenelse{c}{d}{e}'] }
    assert.deepEqual(placesAtEnd(condition(1), files), ['b.tex:1'])
  })

  it('skips an older copy that the document does not load', () => {
    const files = { 'old.tex': ['{\\small a'], 'a.tex': ['{\\small a'] }
    assert.deepEqual(placesAtEnd(brace(1), files), ['a.tex:1'])
  })

  it('finds a document inside a document', () => {
    const files = { 'a.tex': ['\\documentclass{article}', '\\begin{document}', 'A', '\\end{document}'] }
    assert.deepEqual(placesAtEnd(environment(2), files), ['a.tex:2'])
  })

  it('finds the only line with a macro that can open the group', () => {
    const messages = [brace(2), environment(2), condition(2)]
    const files = { 'a.tex': ['A', '\\href{http://x_y}'], 'b.tex': ['B', 'b'] }
    assert.deepEqual(
      messages.flatMap((message) => placesAtEnd(message, files)),
      ['a.tex:2', 'a.tex:2', 'a.tex:2'],
    )
  })

  it('skips a file with 1,000,000 open braces', () => {
    const files = { 'a.tex': ['{'.repeat(1_000_000)], 'b.tex': ['{b'] }
    assert.deepEqual(placesAtEnd(brace(1), files), ['b.tex:1'])
  })

  it('has no place for a group that several files or none can open', () => {
    const files = { 'a.tex': ['A', '{\\small a}'], 'b.tex': ['B', '{\\small b}'] }
    assert.deepEqual([...placesAtEnd(brace(2), files), ...placesAtEnd(environment(2), files)], [':0', ':0'])
  })
})
