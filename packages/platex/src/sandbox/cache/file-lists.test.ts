import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shorten } from './file-lists.ts'

test('a short list has the folders of styles and databases, and the lines before the first folder', () => {
  const list = `% ls-R -- filename database
./:
ls-R
bibtex

./bibtex:
bst

./bibtex/bst:
plain.bst

./fonts/tfm/bibtex:
a.tfm

./makeindex/base:
din.ist

./tex/latex:
base
`
  assert.equal(
    shorten(list),
    `% ls-R -- filename database
./bibtex:
bst

./bibtex/bst:
plain.bst

./makeindex/base:
din.ist

`,
  )
})
