import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { LatexError } from '../base/types.ts'
import { findMissingName } from './find-missing-name.ts'

function namesIn(message: string): readonly string[] | null {
  const error: LatexError = { type: 'error', file: null, line: null, message, context: null, source: 'latex' }
  return findMissingName(error)?.names ?? null
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["LaTeX Error: File `siunitx.sty' not found.", ['siunitx.sty']],
  ["LaTeX Error: File `moderncv.cls' not found.", ['moderncv.cls']],
  ["Package fontenc Error: Encoding file `t2aenc.def' not found.", ['t2aenc.def']],
  [
    "LaTeX Error: File `example-image-a' not found.",
    ['example-image-a', 'example-image-a.tex', 'example-image-a.pdf', 'example-image-a.png', 'example-image-a.jpg'],
  ],
  ["! I can't find file `musixtex.tex'.", ['musixtex.tex']],
  [
    "Package babel Error: Unknown option 'greek'. Either you misspelled it\n(babel)                or the language definition file greek.ldf\n(babel)                was not found.",
    ['greek.ldf'],
  ],
  ["Package biblatex Error: Style 'apa' not found.", ['apa.bbx', 'apa.cbx']],
  ["I couldn't open style file IEEEtran.bst", ['IEEEtran.bst']],
  [
    "Package tikz Error: I did not find the tikz library 'feynman'. I looked for files named",
    ['tikzlibraryfeynman.code.tex', 'tikzlibrary.feynman.code.tex', 'pgflibraryfeynman.code.tex'],
  ],
  ["module 'luavlna' not found:", ['luavlna.lua']],
  [
    'Package fontspec Error: The font "EB Garamond" cannot be found; this may be but',
    ['EB Garamond.tfm', 'EB Garamond.otf', 'EB Garamond.ttf'],
  ],
  ['The font "Junicode.ttf" cannot be found.', ['Junicode.ttf']],
  [
    'Font T2A/cmr/m/n/10=larm1000 at 10.0pt not loadable: Metric (TFM) file not found.',
    ['larm1000.tfm', 'larm1000.otf', 'larm1000.ttf'],
  ],
  [
    String.raw`Font \x="Alegreya/B:mode=node" at 10pt not loadable: Metric (TFM) file or installed font not found.`,
    ['Alegreya.tfm', 'Alegreya.otf', 'Alegreya.ttf'],
  ],
  ['pdfTeX error: pdflatex (file sfrm1000.pfb): cannot open Type 1 font file for reading', ['sfrm1000.pfb']],
  ['biber is not available here, and this document requires it for the bibliography', ['bin/biber']],
]

test('findMissingName finds the missing name in messages of TeX and its tools', () => {
  assert.deepEqual(
    cases.map(([message]) => namesIn(message)),
    cases.map(([, names]) => names),
  )
})

test('findMissingName treats a file in a folder as part of the document', () => {
  assert.equal(namesIn("LaTeX Error: File `figures/plot.pdf' not found."), null)
})
