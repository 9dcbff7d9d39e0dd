import assert from 'node:assert/strict'
import { test } from 'node:test'
import { separateBuildProducts, warnOfIgnored } from './separate-build-products.ts'

test('separateBuildProducts() ignores only results of the root file and files without a reader', () => {
  const kept = ['paper/main.tex', 'paper/main.aux', 'paper/main.bbl', 'main.log', 'figures/main.pdf']
  const dropped = ['paper/main.pdf', 'paper/main.log', 'paper/main.synctex.gz', 'latexmkrc', 'paper/missfont.log']
  const files = new Map([...kept, ...dropped].map((path) => [path, new Uint8Array()]))
  const { files: left, ignored } = separateBuildProducts(files, 'paper/main.tex')
  assert.deepEqual([[...left.keys()], ignored], [kept, dropped])
})

test('separateBuildProducts() keeps a latexmkrc that sets search paths', () => {
  const source = new Uint8Array(Buffer.from("ensure_path('TEXINPUTS', './tex//');"))
  const { files, ignored } = separateBuildProducts(new Map([['latexmkrc', source]]), 'main.tex')
  assert.deepEqual([[...files.keys()], ignored], [['latexmkrc'], []])
})

test('separateBuildProducts() leaves out a hidden latexmkrc without search paths, without a warning', () => {
  const source = new Uint8Array(Buffer.from('$pdf_mode = 4;'))
  const { files, ignored } = separateBuildProducts(new Map([['.latexmkrc', source]]), 'main.tex')
  assert.deepEqual([[...files.keys()], ignored], [[], []])
})

test('separateBuildProducts() keeps a latexmkrc with search paths beside a hidden one without', () => {
  const sources = { '.latexmkrc': '$pdf_mode = 1;', latexmkrc: "ensure_path('TEXINPUTS', './tex//');" }
  const given = new Map(Object.entries(sources).map(([path, text]) => [path, new Uint8Array(Buffer.from(text))]))
  const { files, ignored } = separateBuildProducts(given, 'main.tex')
  assert.deepEqual([[...files.keys()], ignored], [['latexmkrc'], []])
})

test('warnOfIgnored() names every file in one warning', () => {
  assert.deepEqual(
    warnOfIgnored(['main.pdf', 'main.log']).map(({ message }) => message),
    ['main.pdf and main.log were ignored: a compile makes these files itself'],
  )
})
