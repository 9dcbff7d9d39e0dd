import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { corpusJob, withoutMarks } from '../support/compile-document.ts'

const real = await (await openSandbox('auto')).refresh()
// The second entry repeats a key, which biber and BibTeX report.
const DATABASE = '@book{k, author={Alice}, title={Tides}, publisher={Press}, year=2020}\n@book{k, title={Gauges}}\n'
const sources = {
  biber: String.raw`\documentclass{article}\usepackage{biblatex}\addbibresource{refs.bib}
\begin{document}Words \cite{k}.\printbibliography\end{document}`,
  bibtex: String.raw`\documentclass{article}
\begin{document}Words \cite{k}.\bibliographystyle{plain}\bibliography{refs}\end{document}`,
}

/** Compiles in the real sandbox, and returns the bibliography tools that were started. */
function openCompiler() {
  let started: string[] = []
  const sandbox: Sandbox = {
    ...real,
    run: (command, options) => {
      if (command.program.startsWith('bib')) started.push(command.program)
      return real.run(command, options)
    },
  }
  return async (source: string, { tenant, database = DATABASE }: { tenant?: string; database?: string } = {}) => {
    started = []
    const encoder = new TextEncoder()
    const files = new Map([
      ['main.tex', encoder.encode(source)],
      ['refs.bib', encoder.encode(database)],
    ])
    const { result, inputs } = await runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), tenant })
    const { errors, warnings } = result
    const logs = result.logs.map(({ engine, log }) => (engine === 'pdflatex' ? engine : log))
    return { started, inputs, errors, warnings, logs, pdf: withoutMarks(result.pdf) }
  }
}

describe('runCached', { concurrency: 2 }, () => {
  for (const tool of ['biber', 'bibtex'] as const) {
    test(`returns result, log and diagnostics of an earlier run of ${tool} to the same tenant`, async () => {
      const compile = openCompiler()
      const first = await compile(sources[tool], { tenant: 'alice' })
      const edited = sources[tool].replace('Words', 'Edited words')
      const second = await compile(edited, { tenant: 'alice' })
      const uncached = await compile(edited)
      assert.deepEqual([first.started, second.started, uncached.started], [[tool], [], [tool]])
      assert.deepEqual(
        [second.pdf, second.errors, second.warnings, second.logs],
        [uncached.pdf, uncached.errors, uncached.warnings, first.logs],
      )
    })
  }

  test('runs the tool for another tenant, and for another database', async () => {
    const compile = openCompiler()
    await compile(sources.bibtex, { tenant: 'alice' })
    const ofBob = await compile(sources.bibtex, { tenant: 'bob' })
    const ofOtherDatabase = await compile(sources.bibtex, {
      tenant: 'alice',
      database: DATABASE.replace('2020', '2021'),
    })
    assert.deepEqual([ofBob.started, ofOtherDatabase.started], [['bibtex'], ['bibtex']])
  })
  test('runs biber again if a file that a pattern selects has changed', async () => {
    const compile = openCompiler()
    const source = sources.biber.replace('{refs.bib}', '[glob]{*.bib}')
    const first = await compile(source, { tenant: 'alice' })
    const again = await compile(source, { tenant: 'alice' })
    const edited = await compile(source, { tenant: 'alice', database: DATABASE.replace('2020', '2021') })
    const started = [first, again, edited].map((compiled) => compiled.started)
    assert.deepEqual(started, [['biber'], [], ['biber']])
    assert.deepEqual(first.inputs, ['main.tex', 'refs.bib'])
  })
})
