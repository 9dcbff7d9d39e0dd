import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

const bookBy = (author: string): string => `@book{tides, author={${author}}, title={Tides}, publisher={P}, year=2020}\n`
const CHAPTER = '\\chapter{Ebb}\\cite{tides}'
const OWN_BIBLIOGRAPHY = `${CHAPTER}\\bibliographystyle{plain}\\bibliography{refs}`
const THESIS =
  '\\documentclass{report}\\begin{document}\\include{größe}\\bibliographystyle{plain}\\bibliography{bücher}\\end{document}'
const DRAWING = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 20 10\n0 0 20 10 rectfill showpage\n'

type Texts = Readonly<Record<string, string>>

/** Compiles a document: its auxiliary files as text, and what the author is told. */
async function compile(texts: Texts, rootFile = 'main.tex', warmStartFiles?: ReadonlyMap<string, Uint8Array>) {
  const files = new Map(Object.entries(texts).map(([name, text]) => [name, bytesOf(text)]))
  const job = { ...corpusJob({ files, engine: 'pdflatex' }, sandbox), rootFile }
  const { result, aux } = await runPipeline({ ...job, ...(warmStartFiles === undefined ? {} : { warmStartFiles }) })
  const textOf = (name: string): string => Buffer.from(aux.get(name) ?? '').toString()
  return { aux, textOf, said: [...result.errors, ...result.warnings].map(({ message }) => message) }
}

describe('runPipeline with accented file names', { concurrency: 2 }, () => {
  test('finds the citations of a chapter', async () => {
    const { textOf, said } = await compile({ 'main.tex': THESIS, 'größe.tex': CHAPTER, 'bücher.bib': bookBy('Alice') })
    assert.deepEqual(said, [])
    assert.match(textOf('main.bbl'), /Alice/)
  })

  test('updates the bibliography after an edit of its database', async () => {
    const before = { 'main.tex': THESIS, 'größe.tex': CHAPTER, 'bücher.bib': bookBy('Alice') }
    const { aux } = await compile(before)
    const { textOf } = await compile({ ...before, 'bücher.bib': bookBy('Bob') }, 'main.tex', aux)
    assert.match(textOf('main.bbl'), /Bob/)
  })

  test('creates the bibliography of each chapter', async () => {
    const source =
      '\\documentclass{report}\\usepackage{chapterbib}\\begin{document}\\include{größe}\\include{two}\\end{document}'
    const chapters = { 'größe.tex': OWN_BIBLIOGRAPHY, 'two.tex': OWN_BIBLIOGRAPHY }
    const { textOf, said } = await compile({ 'main.tex': source, ...chapters, 'refs.bib': bookBy('Alice') })
    assert.deepEqual(said, [])
    assert.deepEqual(textOf('größe.bbl'), textOf('two.bbl'))
  })

  test('sorts the glossary of a document', async () => {
    const source =
      '\\documentclass{article}\\usepackage{glossaries}\\makeglossaries\\newglossaryentry{ebb}{name=Ebb,description={fall}}' +
      '\\begin{document}\\gls{ebb}\\printglossaries\\end{document}'
    const { textOf, said } = await compile({ 'thèse.tex': source }, 'thèse.tex')
    assert.deepEqual(said, [])
    assert.match(textOf('thèse.gls'), /\\glossentry\{ebb\}/)
  })

  test('sorts the index of a document with the options of imakeidx', async () => {
    const source =
      '\\documentclass{article}\\usepackage[noautomatic]{imakeidx}\\makeindex[options=-s own.ist]' +
      '\\begin{document}Ebb\\index{ebb}\\printindex\\end{document}'
    const styles = { 'own.ist': 'delim_0 " : "\n', 'other.ist': 'delim_0 " = "\n' }
    const { textOf, said } = await compile({ 'thèse.tex': source, ...styles }, 'thèse.tex')
    assert.deepEqual(said, [])
    assert.match(textOf('thèse.ind'), /ebb : /)
  })

  test('converts a picture', async () => {
    const source =
      '\\documentclass{article}\\usepackage{graphicx}\\begin{document}\\includegraphics{größe}\\end{document}'
    const { said } = await compile({ 'main.tex': source, 'größe.eps': DRAWING })
    assert.deepEqual(said, [])
  })
})
