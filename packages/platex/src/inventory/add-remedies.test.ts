import assert from 'node:assert/strict'
import { before, test } from 'node:test'

import { runPipeline } from '../compile/run-pipeline.ts'
import { openSandbox } from '../sandbox/open-sandbox.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { CompileResult } from '../base/types.ts'
import { addRemedies } from './add-remedies.ts'

/** Version output of Debian's TeX: makes the tests independent of the machine. */
const sandbox = { ask: async () => '(TeX Live 2022/Debian)' }
const nothing = { pdf: null, warnings: [], logs: [] }
const error = { type: 'error', file: null, line: null, context: null, source: 'latex' } as const

let realSandbox: Sandbox

before(async () => {
  realSandbox = await openSandbox('auto')
})

test('addRemedies names the packages of Debian and TeX Live, and the command', async (t) => {
  const message = "LaTeX Error: File `gregoriotex.sty' not found."
  const { errors } = await addRemedies({ ...nothing, errors: [{ ...error, message }] }, sandbox)
  const [{ remedy, package: missing } = { remedy: undefined, package: undefined }] = errors
  if (missing?.command?.includes('--reinstall') ?? true) return t.skip('not Debian, or texlive-music is installed')
  assert.deepEqual(
    [missing, remedy],
    [
      {
        provides: 'gregoriotex.sty',
        debian: 'texlive-music',
        texlive: 'gregoriotex',
        command: 'sudo apt-get install texlive-music',
      },
      'Install texlive-music on the machine that compiles: sudo apt-get install texlive-music',
    ],
  )
})

test('addRemedies looks up the first twenty names and no more', async () => {
  const errors = Array.from({ length: 30 }, (_, n) => ({
    ...error,
    line: n,
    // The sixth is a name already looked up.
    message: `LaTeX Error: File \`${n === 5 ? 'none-0' : n === 20 || n === 25 ? 'gregoriotex' : `none-${n}`}.sty' not found.`,
  }))
  const result = await addRemedies({ ...nothing, errors }, sandbox)
  assert.deepEqual(
    result.errors.flatMap((found) => ('remedy' in found ? [found.line] : [])),
    [20, 25],
  )
  const late = errors.with(20, { ...error, line: 20, message: "LaTeX Error: File `none-20.sty' not found." })
  assert.deepEqual((await addRemedies({ ...nothing, errors: late }, sandbox)).errors, late)
})

test('addRemedies names no package for a font in a folder of the project', async () => {
  const message = 'Package fontspec Error: The font "Lato-Regular" cannot be found.'
  const stated = { ...error, message, context: 'l.3 \\setmainfont{Lato-Regular.ttf}[Path=./fonts/]' }
  const loaded = {
    ...error,
    message:
      'Font \\TU/Lato-Regular.ttf(0)/m/n/10=[./fonts/Lato-Regular.ttf]:mode=node at 10pt not loadable: metric data',
  }
  const results = [[stated], [{ ...stated, context: 'l.5 ]' }, loaded]].map((errors) => ({ ...nothing, errors }))
  assert.deepEqual(await Promise.all(results.map((result) => addRemedies(result, sandbox))), results)
})

test('addRemedies leaves every other diagnostic as it is', async () => {
  const result: CompileResult = {
    ...nothing,
    errors: [
      { ...error, message: 'Undefined control sequence: \\foo' },
      { ...error, message: "LaTeX Error: File `my-own-package.sty' not found." },
      { ...error, message: "LaTeX Error: File `plot.pdf' not found." },
    ],
  }
  assert.deepEqual(await addRemedies(result, sandbox), result)
})

test('a compile names the package of a program that is not installed', async () => {
  const source = String.raw`\documentclass{article}\usepackage[backend=biber]{biblatex}\addbibresource{a.bib}
\begin{document}\cite{a}\printbibliography\end{document}`
  const { result } = await runPipeline({
    rootFile: 'main.tex',
    files: new Map([
      ['main.tex', Buffer.from(source)],
      ['a.bib', Buffer.from('@book{a, title = {A}}')],
    ]),
    engine: 'pdflatex',
    passes: 'auto',
    bibliography: 'bibtex',
    timeoutMs: 60_000,
    synctex: false,
    sandbox: { ...realSandbox, has: (name) => name !== 'biber' && realSandbox.has(name) },
  })
  const named = result.errors.map(
    ({ package: missing }) => missing && [missing.provides, missing.debian, missing.texlive],
  )
  assert.deepEqual(named, [['biber', 'biber', 'biber']])
})
