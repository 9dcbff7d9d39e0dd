import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLog } from './parse-log.ts'

interface Example {
  /** Lines of `main.tex` after the first four, whose first loads `ch.tex`. */
  readonly main?: readonly string[]
  /** Lines of `main.tex` before them. */
  readonly preamble?: readonly string[]
  readonly chapter?: readonly string[]
  /** Lines of the paragraph, as TeX prints them. */
  readonly range?: string
  /** The text of the box, as TeX prints it. */
  readonly shown?: string
}

const wide = 'A paragraph \\mbox{of one} and \\emph{unbreakable} text that is very wide.'

/** The place of the warning about a box that TeX reports after `ch.tex` has closed. */
function placeOf(example: Example): string {
  const shown = example.shown ?? '[]\\OT1/cmr/m/n/10 A para-graph [] and \\OT1/cmr/m/it/10 un-break-able \\OT1/cmr/m/n/10 text that is very wide.'
  const log = [
    'This is pdfTeX',
    '(./main.tex (./ch.tex)',
    `Overfull \\hbox (9.0pt too wide) in paragraph at lines ${example.range ?? '3--3'}`,
    shown,
    ' []',
    '',
    ')',
    '',
  ].join('\n')
  const main = [...(example.preamble ?? []), '\\include{ch}', '', 'Other text.', '', ...(example.main ?? [])].join('\n')
  const chapter = (example.chapter ?? ['First.', '', wide, '']).join('\n')
  const sources = new Map([
    ['main.tex', main],
    ['ch.tex', chapter],
  ])
  return parseLog(log, { rootFile: 'main.tex', sources })
    .warnings.map(({ file, line }) => `${file ?? ''}:${line ?? 0}`)
    .join(' ')
} // prettier-ignore

describe('findClosedParagraph', () => {
  it('finds the last paragraph of a file that closed before its end', () => {
    assert.equal(placeOf({}), 'ch.tex:3')
  })

  it('finds the line in the closed file if the paragraph ends at a smaller one', () => {
    assert.equal(placeOf({ chapter: ['', '', '', '', '', wide], range: '6--2' }), 'ch.tex:6')
  })

  it('finds text in a later line of the paragraph', () => {
    assert.equal(placeOf({ chapter: ['', '', 'It begins', '% here', wide] }), 'ch.tex:3')
  })

  it('keeps the open file if it has the text, too', () => {
    assert.equal(placeOf({ main: [wide], range: '3--5' }), 'main.tex:3')
  })

  it('keeps the open file if the closed one has other text', () => {
    assert.equal(placeOf({ chapter: ['', '', 'Other words.'] }), 'main.tex:3')
  })

  it('keeps the open file if the paragraph ends in the closed one', () => {
    assert.equal(placeOf({ chapter: ['', '', wide, '', 'Last.'] }), 'main.tex:3')
  })

  it('keeps the open file if the box has no text', () => {
    assert.equal(placeOf({ shown: '[]' }), 'main.tex:3')
  })

  it('keeps the open file if the text is short', () => {
    assert.equal(placeOf({ shown: '[]\\OT1/cmr/m/n/10 that is' }), 'main.tex:3')
  })

  const preamble = ['\\documentclass{article}', '\\usepackage{a}', '\\usepackage{b}', '\\begin{document}']
  const chapter = ['First.', '', '\\noindent', '\\includegraphics[width=30cm]{a}', '']

  it('finds a picture at the end of the closed file whose line is in the preamble of the open one', () => {
    assert.equal(placeOf({ preamble, chapter, shown: '[]', range: '3--6' }), 'ch.tex:3')
  })

  it('finds a picture at the end of the closed file below a preamble of 200 lines', () => {
    const long = [...preamble.slice(0, 3), ...Array.from({ length: 200 }, () => '% more'), ...preamble.slice(3)]
    assert.equal(placeOf({ preamble: long, chapter, shown: '[]', range: '3--206' }), 'ch.tex:3')
  })

  it('finds a picture in the closed file above the paragraph that loads it', () => {
    assert.equal(
      placeOf({ preamble: ['One.', '', 'Two.', '', 'Three.'], chapter, shown: '[]', range: '3--7' }),
      'ch.tex:3',
    )
  })

  it('keeps the open file if the picture can be in the paragraph that loads the closed one', () => {
    assert.equal(
      placeOf({ preamble: ['One.', '', 'Two.', 'Three.'], chapter, shown: '[]', range: '3--6' }),
      'main.tex:3',
    )
  })

  it('keeps the open file if a paragraph ends between the closed file and the picture', () => {
    assert.equal(placeOf({ preamble, chapter, shown: '[]', range: '3--7' }), 'main.tex:3')
  })

  it('keeps the open file if its paragraph loads a file with a longer name', () => {
    assert.equal(placeOf({ main: ['\\input{ch2}', 'Text.'], chapter, shown: '[]', range: '3--6' }), 'main.tex:3')
  })

  it('finds a picture in the closed file that is loaded with its folder and extension', () => {
    const main = ['Text.', '', '\\input ./ch.tex', 'Text.']
    assert.equal(placeOf({ main, chapter, shown: '[]', range: '3--8' }), 'ch.tex:3')
  })

  it('keeps the open file if the closed one has less lines', () => {
    assert.equal(placeOf({ preamble, chapter: ['\\includegraphics{a}'], shown: '[]', range: '3--6' }), 'main.tex:3')
  })
})
