import assert from 'node:assert/strict'
import { test } from 'node:test'

import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

test('a glossary sorted by xindy is compiled', { skip: !sandbox.has('xindy') && 'no xindy here' }, async () => {
  const source = String.raw`\documentclass{article}\usepackage[xindy]{glossaries}\makeglossaries
\newglossaryentry{tide}{name=tide,description={rise and fall of the sea}}
\begin{document}\gls{tide}\newpage\printglossaries\end{document}`
  const files = new Map([['main.tex', bytesOf(source)]])
  const { result } = await runPipeline(corpusJob({ files, engine: 'pdflatex' }, sandbox))
  const { errors, warnings, pages } = result
  assert.deepEqual({ errors, warnings, pages }, { errors: [], warnings: [], pages: 2 })
})
