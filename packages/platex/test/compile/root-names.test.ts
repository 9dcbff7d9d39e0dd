import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

async function messagesOf(rootFile: string) {
  const files = new Map([[rootFile, bytesOf('\\documentclass{article}\\begin{document}Hi \\velocty\\end{document}')]])
  const { result } = await runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), rootFile })
  return result.errors.map(({ file, message }) => [file, message])
}

describe('runPipeline', { concurrency: 2 }, () => {
  for (const name of ['100%.tex', '{draft}.tex', 'a  b.tex', 'a~b.tex', 'a\\b.tex', 'a"b.tex', 'e^^41.tex'])
    test(`explains that TeX cannot read a root file with the name "${name}"`, async () => {
      assert.deepEqual(await messagesOf(`folder/${name}`), [
        [`folder/${name}`, `TeX cannot read a file with the name "${name}".`],
      ])
    })

  for (const name of ['a b.tex', ' a.tex', 'b .tex', '$1 #2 & 3^4_5.tex'])
    test(`compiles a root file with the name "${name}"`, async () => {
      assert.deepEqual(await messagesOf(name), [[name, 'Undefined control sequence: \\velocty']])
    })
})
