import assert from 'node:assert/strict'
import { test } from 'node:test'

import { chooseAptPackage } from './search-apt-file.ts'

test('chooseAptPackage prefers collections of TeX Live, and ignores documentation', () => {
  const outputs = [
    'preview-latex-style: /usr/share/texmf/tex/latex/preview/preview.sty\n',
    'context: /usr/share/texmf/x.sty\ntexlive-science: /usr/share/texlive/texmf-dist/x.sty\n',
    'texlive-science-doc: /usr/share/doc/x.sty\n',
    'Finding relevant cache files to search ...\n',
    '',
  ]
  assert.deepEqual(outputs.map(chooseAptPackage), ['preview-latex-style', 'texlive-science', null, null, null])
})
