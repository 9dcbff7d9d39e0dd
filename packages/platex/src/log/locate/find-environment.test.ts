import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseLog } from '../parse-log.ts'

const closed = ['Text.', '\\begin{quote}', 'A', '\\end{quote}', '']

/** The places of the errors at `\end{document}`, in the last line of `main.tex`. */
function placesOf(message: string, files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const main = files['main.tex'] ?? ['\\begin{document}', '\\input{a}', '\\input{b}', '\\end{document}']
  const log = [
    'This is pdfTeX',
    '(./main.tex (./a.tex) (./b.tex)',
    '',
    `! LaTeX Error: ${message}.`,
    '',
    `l.${main.length} \\end{document}`,
    '',
    ')',
    '',
  ].join('\n')
  const sources = new Map(
    Object.entries({ ...files, 'main.tex': main }).map(([name, lines]) => [name, lines.join('\n')]),
  )
  return parseLog(log, { rootFile: 'main.tex', sources }).errors.map(({ file, line }) => `${file ?? ''}:${line ?? 0}`)
}

describe('findUnendedEnvironment', () => {
  const message = '\\begin{quote} on input line 2 ended by \\end{document}'

  it('skips a file that ends the environment on the same line', () => {
    const files = { 'a.tex': closed, 'b.tex': ['Text.', '\\begin{quote}', 'B', ''] }
    assert.deepEqual(placesOf(message, files), ['b.tex:2'])
  })

  it('skips the root file if it ends the environment', () => {
    const files = {
      'main.tex': ['\\begin{document}', '\\begin{quote}M\\end{quote}', '\\input{a}\\input{b}', '\\end{document}'],
      'b.tex': ['Text.', '\\begin{quote}', 'B', ''],
    }
    assert.deepEqual(placesOf(message, files), ['b.tex:2'])
  })

  it('finds the environment whose end closed an inner one', () => {
    const files = { 'a.tex': closed, 'b.tex': ['Text.', '\\begin{quote}', '\\begin{center}', 'B', '\\end{quote}'] }
    assert.deepEqual(placesOf(message, files), ['b.tex:2'])
  })

  it('skips an older copy that the document does not load', () => {
    const open = ['Text.', '\\begin{quote}', 'B', '']
    assert.deepEqual(placesOf(message, { 'a-old.tex': open, 'a.tex': open, 'b.tex': closed }), ['a.tex:2'])
  })

  it('finds the only file with such a line although it ends the environment', () => {
    assert.deepEqual(placesOf(message, { 'a.tex': closed, 'b.tex': ['B'] }), ['a.tex:2'])
  })

  it('keeps the place of TeX if several files end the environment', () => {
    assert.deepEqual(placesOf(message, { 'a.tex': closed, 'b.tex': closed }), ['main.tex:4'])
  })
})
