import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

/** Compiles a document with glossaries: the sorted lists, and what the author is told. */
async function compile(preamble: string, body: string) {
  const source = `\\documentclass{article}${preamble}\\makeglossaries\\begin{document}${body}\\printglossaries\\end{document}`
  const files = new Map([['main.tex', bytesOf(source)]])
  const { result, aux } = await runPipeline(corpusJob({ files, engine: 'pdflatex' }, sandbox))
  const textOf = (ending: string): string => Buffer.from(aux.get(`main.${ending}`) ?? '').toString()
  return { textOf, said: [...result.errors, ...result.warnings].map(({ message }) => message) }
}

test('glossaries in files with a hyphen in their endings are sorted', async () => {
  const { textOf, said } = await compile(
    '\\usepackage[abbreviations,nomain]{glossaries-extra}\\newglossary*{names}{Names}\\newabbreviation{cpu}{CPU}{central unit}' +
      '\\newglossaryentry{wave}{type=names,name=Wave,description={water}}',
    '\\gls{cpu} \\gls{wave}',
  )
  assert.deepEqual(said, [])
  assert.match(textOf('gls-abr'), /\\glossentry\{cpu\}/)
  assert.match(textOf('names-gls'), /\\glossentry\{wave\}/)
})

test('a glossary of numbers is no nomenclature', async () => {
  const { textOf, said } = await compile(
    '\\usepackage[numbers]{glossaries}\\newglossaryentry{pi}{type=numbers,name=Pi,description={ratio}}',
    '\\gls{pi}',
  )
  assert.deepEqual(said, [])
  assert.match(textOf('nls'), /\\glossentry\{pi\}/)
})
