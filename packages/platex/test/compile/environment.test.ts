/** The environment of documents: files, fonts and programs of the TeX system inside the sandbox. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import type { CompileJob, CompileOutcome } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openProjectCompiler, type ProjectCompiler } from '../../src/api/project.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Engine } from '../../src/base/types.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

function compile(
  files: Readonly<Record<string, string>>,
  { engine = 'pdflatex', ...more }: Partial<CompileJob> & { engine?: Engine } = {},
): Promise<CompileOutcome> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return runPipeline({ ...corpusJob({ files: given, engine }, sandbox), ...more })
}

function project(files: Readonly<Record<string, string>>, more: Partial<CompileJob> = {}): Omit<CompileJob, 'sandbox'> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return { rootFile: 'main.tex', files: given, engine: 'pdflatex', timeoutMs: 60_000, ...more }
}

/** A compiler whose caches are empty. */
async function freshCompiler(t: TestContext): Promise<{ cacheDir: string; compiler: ProjectCompiler }> {
  const cacheDir = await mkdtemp(join(tmpdir(), 'platex-environment-'))
  const compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
  t.after(async () => {
    await compiler.close()
    await rm(cacheDir, { recursive: true, force: true })
  })
  return { cacheDir, compiler }
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

  test('pdflatex compiles Cyrillic with metrics made by METAFONT, and reuses them', async (t) => {
    if (sandbox.kind === 'none') return t.skip('the sandbox is missing')
    const source = String.raw`\documentclass{article}\usepackage[T2A]{fontenc}
\begin{document}Привет\end{document}`
    const { cacheDir, compiler } = await freshCompiler(t)
    const first = await compiler.compile(project({ 'main.tex': source }))
    const second = await compiler.compile(project({ 'main.tex': source }))
    assert.deepEqual(
      [first, second].map(({ result }) => [result.errors, result.logs.map(({ reason }) => reason)]),
      [
        [[], ['first pass', 'fonts were generated: larm1000']],
        [[], ['first pass']],
      ],
    )
    const made = (await readdir(cacheDir, { recursive: true })).filter((path) => path.endsWith('.tfm'))
    assert.deepEqual(
      made.map((path) => basename(path)),
      ['larm1000.tfm'],
    )
  })

  test('pdflatex gets fonts from METAFONT sources in the project', async () => {
    const sign = String.raw`mode_setup; font_size 10pt#;
beginchar("A",10pt#,10pt#,0pt#); fill unitsquare scaled w; endchar; end`
    const source = String.raw`\documentclass{article}\font\signs=mysigns
\begin{document}\signs A\end{document}`
    const { result } = await compile({ 'main.tex': source, 'mysigns.mf': sign })
    assert.deepEqual([result.errors, result.pages], [[], 1])
  })

  test('xelatex does not start METAFONT for unknown font names', async () => {
    const source = String.raw`\documentclass{article}\usepackage{fontspec}
\begin{document}\IfFontExistsTF{Nosuchfont}{yes}{no}\IfFontExistsTF{Other Nosuchfont}{yes}{no}\end{document}`
    const { result } = await compile({ 'main.tex': source }, { engine: 'xelatex' })
    assert.deepEqual([result.errors, result.logs.length], [[], 1])
    assert.doesNotMatch(result.logs[0]?.stderr ?? '', /METAFONT|mf-nowin/)
  })

  test('pdflatex gets bitmaps of a resolution that the document chooses, for this document only', async (t) => {
    if (sandbox.kind === 'none') return t.skip('the sandbox is missing')
    const source = String.raw`\pdfpkresolution=300 \documentclass{article}\font\board=bbm10\begin{document}\board R\end{document}`
    const { cacheDir, compiler } = await freshCompiler(t)
    const { result } = await compiler.compile(project({ 'main.tex': source }))
    const made = (await readdir(cacheDir, { recursive: true })).filter((path) => /\.\d+pk$/.test(path))
    assert.deepEqual([result.errors, result.pages, made], [[], 1, []])
  })

  test('bitmaps for another printer that a document requests are not shared', async (t) => {
    if (sandbox.kind === 'none') return t.skip('the sandbox is missing')
    const request = 'mktexpk --mfmode epsdrft --bdpi 120 --mag 5+0/600 --dpi 600 bbm10'
    const source = String.raw`\documentclass{article}\newwrite\fonts\immediate\openout\fonts=missfont.log
\immediate\write\fonts{${request}}\immediate\closeout\fonts\begin{document}Tides.\end{document}`
    const { cacheDir, compiler } = await freshCompiler(t)
    const { result } = await compiler.compile(project({ 'main.tex': source }))
    const made = (await readdir(cacheDir, { recursive: true })).filter((path) => /\.\d+pk$/.test(path))
    assert.deepEqual([result.errors, result.pages, made], [[], 1, []])
  })

  for (const engine of ['pdflatex', 'xelatex'] as const) {
    test(`${engine} gets bitmaps of fonts without outlines`, async (t) => {
      if (sandbox.kind === 'none') return t.skip('the sandbox is missing')
      const source = String.raw`\documentclass{article}\font\board=bbm10 \font\skull=skull\begin{document}\board R\skull A\end{document}`
      const { cacheDir, compiler } = await freshCompiler(t)
      const { result } = await compiler.compile(project({ 'main.tex': source }, { engine }))
      const made = (await readdir(cacheDir, { recursive: true })).filter((path) => /\.\d+pk$/.test(path))
      const names = made.map((path) => basename(path).replace(/\.\d+pk$/, ''))
      assert.deepEqual([result.errors, result.pages, names.toSorted()], [[], 1, ['bbm10', 'skull']])
    })
  }
})
