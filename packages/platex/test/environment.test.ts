/** What documents find around them: the files, fonts and programs of the TeX system inside the sandbox. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompileJob, CompileOutcome } from '../src/pipeline/job.ts'
import { runPipeline } from '../src/pipeline/run-pipeline.ts'
import { openSandbox } from '../src/sandbox/open-sandbox.ts'
import type { Engine } from '../src/types.ts'
import { corpusJob } from './support/compile-document.ts'
import { bytesOf } from './support/documents.ts'

const sandbox = await openSandbox('auto')

function compile(
  files: Readonly<Record<string, string>>,
  { engine = 'pdflatex', ...more }: Partial<CompileJob> & { engine?: Engine } = {},
): Promise<CompileOutcome> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return runPipeline({ ...corpusJob({ files: given, engine }, sandbox), ...more })
}

describe('the environment of a document', { concurrency: 2 }, () => {
  for (const engine of ['pdflatex', 'xelatex', 'lualatex'] as const) {
    test(`${engine} reads /dev/null, so packages recognize the platform`, async (t) => {
      if (sandbox.kind === 'none') return t.skip('the sandbox is missing')
      const source = String.raw`\documentclass{article}\usepackage{ifplatform}
\begin{document}\ifwindows Windows\errmessage{windows}\else other\fi\end{document}`
      const { result } = await compile({ 'main.tex': source }, { engine })
      assert.deepEqual(result.errors, [])
    })
  }
})
