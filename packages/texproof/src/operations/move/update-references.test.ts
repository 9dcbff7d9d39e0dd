import assert from 'node:assert/strict'
import { test } from 'node:test'

import { updateReferences } from './update-references.ts'

const FIGURES = ['figures/plot.pdf', 'figures/map.png', 'refs.bib', 'local.sty', 'data.csv']

/** The changed sources after a move. */
function update(sources: Readonly<Record<string, string>>, path: string, newPath: string) {
  const files = Object.entries(sources).map(([at, text]) => ({ path: at, bytes: Buffer.from(text) }))
  const paths = [...Object.keys(sources), ...FIGURES]
  const updated = updateReferences({ files, paths, move: { path, newPath } })
  return Object.fromEntries(updated.map((file) => [file.path, Buffer.from(file.bytes).toString()]))
}

const document = (body: string): string => `\\documentclass{article}\n${body}\n`

test('updateReferences() follows a renamed source in every command that names it', () => {
  const commands = (name: string) =>
    document(String.raw`\includeonly{${name}, other}\input{${name}}\include{./${name}}\subfile{${name}.tex}`)
  const sources = { 'main.tex': commands('intro'), 'intro.tex': 'Hello.', 'other.tex': '' }
  assert.deepEqual(update(sources, 'intro.tex', 'sections/start.tex'), {
    'main.tex': document(
      String.raw`\includeonly{sections/start, other}\input{sections/start}\include{sections/start}\subfile{sections/start.tex}`,
    ),
  })
})

test('updateReferences() follows figures, bibliographies, packages and listings', () => {
  const main = document(
    String.raw`\usepackage{amsmath,local}\addbibresource{refs.bib}\bibliography{refs}\includegraphics[width=2cm]{figures/plot}\inputminted{text}{data.csv}`,
  )
  const one = (path: string, newPath: string) => update({ 'main.tex': main }, path, newPath)['main.tex']
  assert.deepEqual(
    [
      one('local.sty', 'tex/local.sty'),
      one('refs.bib', 'bib/sources.bib'),
      one('figures', 'images'),
      one('figures/plot.pdf', 'figures/plot.png'),
      one('data.csv', 'data/tides.csv'),
    ],
    [
      main.replace('local', 'tex/local'),
      main.replace('{refs.bib}', '{bib/sources.bib}').replace('{refs}', '{bib/sources}'),
      main.replace('figures/', 'images/'),
      undefined,
      main.replace('data.csv', 'data/tides.csv'),
    ],
  )
})

test('updateReferences() keeps names below \\graphicspath short', () => {
  const main = document(String.raw`\graphicspath{{figures/}{more/}}\includegraphics{plot}\includegraphics{map}`)
  const one = (path: string, newPath: string) => update({ 'main.tex': main }, path, newPath)['main.tex']
  assert.deepEqual(
    [one('figures', 'images'), one('figures/plot.pdf', 'figures/old/tide.pdf'), one('figures/map.png', 'map.png')],
    [main.replace('{figures/}', '{images/}'), main.replace('{plot}', '{old/tide}'), main.replace('{map}', '{map}')].map(
      (text) => (text === main ? undefined : text),
    ),
  )
})

test('updateReferences() counts from the folder of the document', () => {
  const sources = {
    'paper/main.tex': document(String.raw`\input{parts/one}\includegraphics{../figures/plot}`),
    'paper/parts/one.tex': String.raw`\input{parts/two}`,
    'paper/parts/two.tex': '',
  }
  assert.deepEqual(
    [
      update(sources, 'paper/parts/two.tex', 'paper/two.tex'),
      update(sources, 'figures', 'paper/figures'),
      update(sources, 'paper', 'thesis'),
    ],
    [
      { 'paper/parts/one.tex': String.raw`\input{two}` },
      { 'paper/main.tex': document(String.raw`\input{parts/one}\includegraphics{figures/plot}`) },
      {},
    ],
  )
})

test('updateReferences() changes the paths in a document that moved itself, and in its parts', () => {
  const sources = {
    'main.tex': document(String.raw`\input{parts/one}`),
    'parts/one.tex': String.raw`\includegraphics{figures/plot}`,
  }
  assert.deepEqual(update(sources, 'main.tex', 'paper/main.tex'), {
    'main.tex': document(String.raw`\input{../parts/one}`),
    'parts/one.tex': String.raw`\includegraphics{../figures/plot}`,
  })
})

test('updateReferences() knows the root file of subfiles, and \\import', () => {
  const sources = {
    'main.tex': document(String.raw`\import{parts/}{one}`),
    'parts/one.tex': String.raw`\documentclass[../main]{subfiles}`,
  }
  assert.deepEqual(
    [update(sources, 'parts/one.tex', 'parts/a/first.tex'), update(sources, 'main.tex', 'book.tex')],
    [
      {
        'main.tex': document(String.raw`\import{parts/a/}{first}`),
        'parts/one.tex': String.raw`\documentclass[../../main]{subfiles}`,
      },
      { 'parts/one.tex': String.raw`\documentclass[../book]{subfiles}` },
    ],
  )
})

test('updateReferences() follows a document in .texproof.toml, latexmkrc and magic comments', () => {
  const sources = (root: string, name: string) => ({
    '.texproof.toml': `# Our paper\n[[document]]\nroot = "${root}" # once main\nextra = 1\n\n[[document]]\nroot = 'b.tex'\n`,
    latexmkrc: `$pdf_mode = 1; # main\n@default_files = ('${name}', "b.tex");\n`,
    '.latexmkrc': `@default_files = qw(b ${name});\n`,
    'parts/one.tex': `% !TeX spellcheck = en\n% !TeX root = ../${root}\nMore.\n`,
  })
  const before = { ...sources('main.tex', 'main'), 'main.tex': document(''), 'b.tex': document('') }
  assert.deepEqual(update(before, 'main.tex', 'paper/main.tex'), sources('paper/main.tex', 'paper/main'))
})

test('updateReferences() leaves settings alone that it cannot read', () => {
  const sources = { '.texproof.toml': 'root = [', latexmkrc: '@default_files = (', 'main.tex': document('') }
  assert.deepEqual(update(sources, 'main.tex', 'paper.tex'), {})
})

test('updateReferences() leaves comments, listings, macros and unknown files alone', () => {
  const kept = String.raw`% \input{intro}
\verb|\input{intro}| \input{\folder/intro} \input{intros} \text{intro}
\begin{verbatim}
\input{intro}
\end{verbatim}`
  assert.deepEqual(update({ 'main.tex': document(kept), 'intro.tex': '' }, 'intro.tex', 'start.tex'), {})
})

test('updateReferences() keeps every other byte, whatever the encoding', () => {
  const bytes = Buffer.concat([Buffer.from('\uFEFF\\documentclass{article}\r\n\\input{über}\r\n'), Buffer.of(0xe9)])
  const files = [{ path: 'main.tex', bytes }]
  const move = { path: 'über.tex', newPath: 'größer.tex' }
  const expected = Buffer.concat([
    Buffer.from('\uFEFF\\documentclass{article}\r\n\\input{größer}\r\n'),
    Buffer.of(0xe9),
  ])
  const [updated] = updateReferences({ files, paths: ['main.tex', 'über.tex'], move })
  assert.deepEqual([Buffer.from(updated?.bytes ?? []), updated?.count], [expected, 1])
})
