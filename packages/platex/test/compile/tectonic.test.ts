/** Real Tectonic, confined and without a network, with the TeX trees of this machine. */
import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openProjectCompiler } from '../../src/api/project.ts'
import type { CompileOutcome, ProjectCompiler } from '../../src/api/project.ts'
import { findTectonicPackage } from '../../src/sandbox/tex-installation.ts'

const files = new Map(
  Object.entries({
    'paper/main.tex': String.raw`\documentclass{article}
\begin{document}
\tableofcontents
\section{Tides}\label{sec:tides}
\input{parts/intro}
See section~\ref{sec:tides} and~\cite{smith}.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
`,
    'paper/parts/intro.tex': 'It rises.\n\nIt \\falls again.\n',
    'paper/refs.bib': '@book{smith, title = {Tides}, author = {Smith, A.}, year = 2020, publisher = {P}}\n',
  }).map(([path, text]) => [path, Buffer.from(text)] as const),
)

let cacheDir: string
let compiler: ProjectCompiler
let isInstalled = false

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'platex-tectonic-'))
  compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
  isInstalled = compiler.engines().includes('tectonic')
})
after(async () => {
  await compiler.close()
  await rm(cacheDir, { recursive: true, force: true })
})

function compile(more: Partial<Parameters<ProjectCompiler['compile']>[0]> = {}): Promise<CompileOutcome> {
  const job = { rootFile: 'paper/main.tex', files, engine: 'tectonic', timeoutMs: 120_000, sourceDateEpoch: 1 } as const
  return compiler.compile({ ...job, ...more })
}

// The first test that requires the bundle: later tests wait until it exists.
test('Tectonic ends at once if the caller cancels, even while its bundle is created', async (t) => {
  if (!isInstalled) return t.skip('Tectonic is not installed')
  await assert.rejects(compile({ signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' })
})

test('Tectonic makes a PDF with bibliography and references, and reports the error on its line', async (t) => {
  if (!isInstalled) return t.skip('Tectonic is not installed')
  const { result, inputs } = await compile()
  assert.deepEqual(
    [result.pages, result.errors.map(({ file, line, message }) => [file, line, message]), result.warnings],
    [1, [['paper/parts/intro.tex', 3, 'Undefined control sequence: \\falls']], []],
  )
  assert.equal(
    Buffer.from(result.pdf ?? [])
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
  assert.deepEqual(
    result.logs.map(({ engine, exitCode }) => [engine, exitCode]),
    [['tectonic', 0]],
  )
  assert.deepEqual(inputs, ['paper/main.tex', 'paper/parts/intro.tex', 'paper/refs.bib'])
})

test('Tectonic returns SyncTeX data with the paths of the project', async (t) => {
  if (!isInstalled) return t.skip('Tectonic is not installed')
  const { synctex } = await compile({ synctex: true })
  const text = Buffer.from(synctex ?? []).toString()
  const own = [...text.matchAll(/^Input:\d+:(paper\/.*)$/gm)].map(([, path]) => path)
  assert.deepEqual(
    own.filter((path) => path?.endsWith('.tex')),
    ['paper/main.tex', 'paper/parts/intro.tex'],
  )
})

test('Tectonic reports the warnings of its bibliography tool', async (t) => {
  if (!isInstalled) return t.skip('Tectonic is not installed')
  const source = String.raw`\documentclass{article}\begin{document}\cite{a}\bibliographystyle{plain}\bibliography{r}\end{document}`
  const broken = new Map([
    ['main.tex', Buffer.from(source)],
    ['r.bib', Buffer.from('@book{a, title = {T}, author = {A}, year = 2020\n\n@book{b, title = {U}}\n')],
  ])
  const { result } = await compile({ rootFile: 'main.tex', files: broken })
  assert.deepEqual(
    result.errors.map(({ file, line, source: tool }) => [file, line, tool]),
    [['r.bib', 3, 'bibtex']],
  )
})

test('Tectonic is stopped at the timeout like any engine', async (t) => {
  if (!isInstalled) return t.skip('Tectonic is not installed')
  const endless = new Map([
    ['main.tex', Buffer.from('\\documentclass{article}\\begin{document}\\loop\\iftrue\\repeat')],
  ])
  const { result } = await compile({ rootFile: 'main.tex', files: endless, timeoutMs: 3000 })
  assert.deepEqual([result.pdf, result.logs.at(-1)?.timedOut], [null, true])
})

test('Tectonic cannot write outside its folder or run a program', async (t) => {
  if (!isInstalled || compiler.sandbox.kind === 'none') return t.skip('Tectonic or the sandbox is missing')
  const source = String.raw`\documentclass{article}\begin{document}
\immediate\write18{touch ran}
\IfFileExists{ran}{RAN}{calm}
\IfFileExists{/etc/passwd}{\typeout{SAW PASSWD}}{\typeout{saw nothing}}
\end{document}`
  const { result } = await compile({ rootFile: 'main.tex', files: new Map([['main.tex', Buffer.from(source)]]) })
  assert.match(result.logs[0]?.log ?? '', /saw nothing/)
})

test('findTectonicPackage() finds the binary that npm installed for the project', async () => {
  const project = await realpath(await mkdtemp(join(tmpdir(), 'platex-project-')))
  const folder = join(project, 'node_modules', '@node-latex-compiler', `bin-${process.platform}-${process.arch}`)
  const started = process.cwd()
  try {
    await mkdir(join(folder, 'bin'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"name":"@node-latex-compiler/bin","version":"1.0.5"}')
    await writeFile(join(folder, 'bin', 'tectonic'), '#!/bin/sh\n')
    await chmod(join(folder, 'bin', 'tectonic'), 0o755)
    process.chdir(project)
    assert.deepEqual(findTectonicPackage(), [join(folder, 'bin')])
  } finally {
    process.chdir(started)
    await rm(project, { recursive: true, force: true })
  }
})
