import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setAsideProducts, warnOfIgnored } from './set-aside-products.ts'

test('setAsideProducts() ignores results of the root document and what nobody reads, and nothing else', () => {
  const kept = ['paper/main.tex', 'paper/main.aux', 'paper/main.bbl', 'main.log', 'figures/main.pdf']
  const dropped = ['paper/main.pdf', 'paper/main.log', 'paper/main.synctex.gz', 'latexmkrc', 'paper/missfont.log']
  const files = new Map([...kept, ...dropped].map((path) => [path, new Uint8Array()]))
  const { files: left, ignored } = setAsideProducts(files, 'paper/main.tex')
  assert.deepEqual([[...left.keys()], ignored], [kept, dropped])
})

test('warnOfIgnored() names every file in one warning', () => {
  assert.deepEqual(
    warnOfIgnored(['main.pdf', 'main.log']).map(({ message }) => message),
    ['main.pdf and main.log were ignored: a compile makes these files itself'],
  )
})
