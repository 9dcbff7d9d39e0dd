import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Engine } from '../../src/base/types.ts'
import type { CompileJob } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import { corpusJob, EPOCH, withoutMarks } from '../support/compile-document.ts'
import { runLatexmk, writeFiles } from '../support/run-latexmk.ts'

// Each document is compiled, edited at the mark EDIT, and compiled again: by latexmk in its folder, and by the pipeline
// with the warm-start files of the first compile.
const sandbox = await openSandbox('auto')

const BIBLIOGRAPHY = '@book{tides, author={Alice}, title={Tides}, publisher={Press}, year=2020}\n'
const TWO_BOOKS = `${BIBLIOGRAPHY}@book{piers, author={Bob}, title={Piers}, publisher={Press}, year=2021}\n`
const article = (preamble: string, body: string): string =>
  `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\n`
const sections = '\\tableofcontents\\section{Tides}\\label{tides}See \\ref{tides}. Words EDIT.'

interface EditedDocument {
  readonly name: string
  readonly engine: Engine
  readonly source: string
  readonly edits: readonly string[]
}

const documents: readonly EditedDocument[] = [
  {
    name: 'slides with a fragile frame',
    engine: 'pdflatex',
    source: `\\documentclass{beamer}\\begin{document}\\section{Tides}
\\begin{frame}{Outline}\\tableofcontents\\end{frame}
\\begin{frame}[fragile]{Code}\\begin{verbatim}
EDIT
\\end{verbatim}\\end{frame}\\end{document}`,
    edits: ['edited'],
  },
  {
    name: 'a paper with bookmarks and a bibliography',
    engine: 'pdflatex',
    source: article(
      '\\usepackage{hyperref}',
      `${sections} \\cite{tides}\\bibliographystyle{plain}\\bibliography{refs}`,
    ),
    edits: ['edited', '\\subsection{Added}'],
  },
  {
    name: 'a paper with an index',
    engine: 'pdflatex',
    source: article('\\usepackage{makeidx}\\makeindex', `${sections} Gauge\\index{gauge}.\\printindex`),
    edits: ['edited'],
  },
  { name: 'a paper for XeTeX', engine: 'xelatex', source: article('', sections), edits: ['edited'] },
  { name: 'a paper for LuaTeX', engine: 'lualatex', source: article('', sections), edits: ['edited'] },
]

const contents = (name: string, text: string, option = ''): string =>
  `\\begin{filecontents}${option}{${name}}\n${text}\n\\end{filecontents}\n`
const reference = String.raw`\cite{tides}\bibliographystyle{plain}\bibliography{refs}`
const inputNotes = String.raw`\input{notes}`

/** Documents that write files before they read them, each with its edits. */
const filesInSource: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'a database in the source',
    `EDIT${article('', reference)}`,
    [BIBLIOGRAPHY, BIBLIOGRAPHY, BIBLIOGRAPHY.replace('Alice', 'Bob'), ''].map((bib) =>
      bib === '' ? '' : contents('refs.bib', bib),
    ),
  ],
  [
    'a chapter in the source',
    `EDIT${article('', inputNotes)}`,
    [contents('notes.tex', 'Ebb.'), contents('notes.tex', 'Ebb.'), contents('notes.tex', 'Flow.'), ''],
  ],
  [
    'a chapter that each pass replaces',
    `EDIT${article('', inputNotes)}`,
    [contents('notes.tex', 'Ebb.', '[overwrite]'), ''],
  ],
]

describe('runPipeline with warm-start files', { concurrency: 2 }, () => {
  for (const { name, engine, source, edits } of documents) {
    test(`makes no more passes than latexmk after an edit of ${name}, and the PDF of a cold compile`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'incremental-'))
      try {
        let warmStartFiles: ReadonlyMap<string, Uint8Array> | undefined
        for (const edit of ['', ...edits]) {
          const text = new TextEncoder().encode(source.replace('EDIT', edit))
          const files = new Map([
            ['main.tex', text],
            ['refs.bib', new TextEncoder().encode(BIBLIOGRAPHY)],
          ])
          await writeFiles(folder, files)
          const latexmkPasses = (await runLatexmk(folder, { engine, epoch: EPOCH })).get(engine) ?? 0
          const { result, aux } = await runPipeline({ ...corpusJob({ files, engine }, sandbox), warmStartFiles })
          const reasons = result.logs.map(({ engine: program, reason }) => `${program}: ${reason}`).join(', ')
          assert.ok((result.stats?.passes ?? Infinity) <= latexmkPasses, `${latexmkPasses} by latexmk, not ${reasons}`)
          if (warmStartFiles !== undefined) {
            const { result: cold } = await runPipeline(corpusJob({ files, engine }, sandbox))
            assert.equal(withoutMarks(result.pdf), withoutMarks(cold.pdf))
          }
          warmStartFiles = aux
        }
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }

  test('prints the glossary of a cold compile after an edit of its style', async () => {
    const source = article(
      '\\usepackage{glossaries}\\glsSetSuffixF{EDIT}\\makeglossaries\\newglossaryentry{tide}{name=tide,description={Rise}}',
      '\\gls{tide}\\newpage\\gls{tide}\\printglossaries',
    )
    const compile = (edit: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = new Map([['main.tex', new TextEncoder().encode(source.replace('EDIT', edit))]])
      return runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
    }
    const { aux } = await compile('f.')
    const [warm, cold] = [await compile('ff.', aux), await compile('ff.')]
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  test('prints a list of floats whose file ends like the log of a tool', async () => {
    const source = article(
      '\\usepackage{float}\\newfloat{procedure}{H}{alg}\\floatname{procedure}{Procedure}',
      '\\listof{procedure}{Procedures}\\newpage\\begin{procedure}\\caption{Tides}\\end{procedure}EDIT',
    )
    const compile = (edit: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = new Map([['main.tex', new TextEncoder().encode(source.replace('EDIT', edit))]])
      return runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
    }
    const { aux } = await compile('One.')
    const [warm, cold] = [await compile('Two.', aux), await compile('Two.')]
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  for (const [what, source, edits] of filesInSource) {
    test(`compiles ${what} as a cold compile does after edits`, async () => {
      let warmStartFiles: ReadonlyMap<string, Uint8Array> | undefined
      for (const edit of edits) {
        const files = new Map([['main.tex', new TextEncoder().encode(source.replace('EDIT', () => edit))]])
        const warm = await runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
        const cold = await runPipeline(corpusJob({ files, engine: 'pdflatex' }, sandbox))
        assert.deepEqual(warm.result.errors, cold.result.errors)
        assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
        warmStartFiles = warm.aux
      }
    })
  }

  test('numbers the bibliography anew after a citation has moved to the next chapter', async () => {
    const body = String.raw`\include{ebb}\cite{tides}\include{flow}\bibliographystyle{unsrt}\bibliography{refs}`
    const compile = (ebb: string, flow: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const sources = { 'main.tex': article('', body), 'ebb.tex': ebb, 'flow.tex': flow, 'refs.bib': TWO_BOOKS }
      const files = new Map(Object.entries(sources).map(([path, text]) => [path, new TextEncoder().encode(text)]))
      return runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
    }
    const { aux } = await compile(String.raw`Ebb \cite{piers}.`, 'Flow.')
    const edited = ['Ebb.', String.raw`Flow \cite{piers}.`] as const
    const [warm, cold] = [await compile(...edited, aux), await compile(...edited)]
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  test('compiles a project in which a file has replaced a folder of chapters', async () => {
    const compile = (sources: Readonly<Record<string, string>>, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = new Map(Object.entries(sources).map(([path, text]) => [path, new TextEncoder().encode(text)]))
      return runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
    }
    const { aux } = await compile({ 'main.tex': article('', '\\include{notes/ebb}'), 'notes/ebb.tex': sections })
    const edited = { 'main.tex': article('', '\\input{notes}'), notes: sections }
    const [warm, cold] = [await compile(edited, aux), await compile(edited)]
    assert.deepEqual(warm.result.errors, cold.result.errors)
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  const section = String.raw`\section{Tides}\label{tides}`
  const reading = String.raw`See \ref{tides}.`
  for (const [what, before, edited] of [
    [
      'a former chapter, whose .aux xr would read',
      { 'main.tex': article('', `${reading}\\include{ebb}`), 'ebb.tex': section },
      {
        'main.tex': article(String.raw`\usepackage{xr}\externaldocument{ebb}`, reading),
        'ebb.tex': article('', section),
      },
    ],
    [
      'a document that now has \\nofiles',
      { 'main.tex': article('', `${section}${reading}`) },
      { 'main.tex': article('\\nofiles', `\\section{Ebb}${section}${reading}`) },
    ],
  ] as const) {
    test(`knows no labels of ${what}`, async () => {
      const compile = (sources: Readonly<Record<string, string>>, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
        const files = new Map(Object.entries(sources).map(([path, text]) => [path, new TextEncoder().encode(text)]))
        return runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles })
      }
      const { aux } = await compile(before)
      const [warm, cold] = [await compile(edited, aux), await compile(edited)]
      assert.deepEqual(warm.result.warnings, cold.result.warnings)
      assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
      assert.deepEqual([...warm.aux.keys()].sort(), [...cold.aux.keys()].sort())
    })
  }

  for (const engine of ['pdflatex', 'lualatex'] as const) {
    test(`knows the labels of chapters that \\includeonly excludes, with ${engine}`, async () => {
      const compile = (only: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
        const chapters = ['parts/ebb', 'parts/high tide', 'parts/flöde']
        const body = chapters.map((chapter, at) => `\\ref{${at}}\\include{${chapter}}`).join('')
        const files = new Map(
          [
            ['papers/main.tex', article(only, body)],
            ...chapters.map((chapter, at) => [`papers/${chapter}.tex`, `\\section{Tide}\\label{${at}}`] as const),
          ].map(([path = '', text = '']) => [path, new TextEncoder().encode(text)] as const),
        )
        const job = { ...corpusJob({ files, engine }, sandbox), rootFile: 'papers/main.tex' }
        return runPipeline({ ...job, warmStartFiles })
      }
      let { aux } = await compile('')
      const names = [...aux.keys()].sort()
      for (const text of ['Ebb.', 'Flow.']) {
        const { result, aux: kept } = await compile(`\\includeonly{parts/ebb}% ${text}`, aux)
        assert.deepEqual(result.warnings, [])
        assert.deepEqual([...kept.keys()].sort(), names)
        aux = kept
      }
    })
  }

  test('makes two passes after a chapter has been removed, and keeps nothing of it', async () => {
    const compile = (body: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = new Map([
        ['main.tex', new TextEncoder().encode(article('', `${section}${reading}${body}`))],
        ['ebb.tex', new TextEncoder().encode('Ebb.')],
      ])
      const passes: string[] = []
      const onProgress: CompileJob['onProgress'] = (event) => {
        if (event.kind === 'pass-started') passes.push(event.reason)
      }
      const outcome = runPipeline({ ...corpusJob({ files, engine: 'pdflatex' }, sandbox), warmStartFiles, onProgress })
      return outcome.then(({ aux }) => ({ passes, aux }))
    }
    const { aux } = await compile('\\include{ebb}')
    const { passes, aux: kept } = await compile('', aux)
    assert.deepEqual(passes, ['first pass', 'main.aux changed'])
    assert.equal(aux.has('ebb.aux'), true)
    assert.equal(kept.has('ebb.aux'), false)
  })

  test('returns no output that only an earlier compile created', async () => {
    const compile = (body: string, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = new Map([
        ['main.tex', new TextEncoder().encode(article('', body))],
        ['refs.bib', new TextEncoder().encode(BIBLIOGRAPHY)],
      ])
      const job = corpusJob({ files, engine: 'pdflatex' }, sandbox)
      return runPipeline({ ...job, outputs: ['aux', 'bbl', 'toc'], warmStartFiles })
    }
    const { aux } = await compile(`${sections}${reference}`)
    const [warm, cold] = [await compile('Words.', aux), await compile('Words.')]
    assert.deepEqual(warm.result.outputs, cold.result.outputs)
  })

  test('prints the bibliography of BibTeX although an older one came with the project', async () => {
    const old = String.raw`\begin{thebibliography}{1}\bibitem{tides} Bob. An older book.\end{thebibliography}`
    const files = new Map(
      [
        ['main.tex', article('', reference)],
        ['refs.bib', BIBLIOGRAPHY],
        ['main.bbl', old],
      ].map(([path = '', text = '']) => [path, new TextEncoder().encode(text)] as const),
    )
    const job = corpusJob({ files, engine: 'pdflatex' }, sandbox)
    const cold = await runPipeline(job)
    const warm = await runPipeline({ ...job, warmStartFiles: cold.aux })
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  test('runs BibTeX again after a committed bibliography has replaced its databases for a while', async () => {
    const own = String.raw`\begin{thebibliography}{1}\bibitem{tides} Bob. An older book.\end{thebibliography}`
    const compile = (sources: Record<string, string>, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
      const files = Object.entries({ 'main.tex': article('', reference), ...sources })
      const bytes = new Map(files.map(([path, text]) => [path, new TextEncoder().encode(text)]))
      return runPipeline({ ...corpusJob({ files: bytes, engine: 'pdflatex' }, sandbox), warmStartFiles })
    }
    const cold = await compile({ 'refs.bib': BIBLIOGRAPHY })
    const between = await compile({ 'main.bbl': own }, cold.aux)
    const warm = await compile({ 'refs.bib': BIBLIOGRAPHY }, between.aux)
    assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
  })

  for (const [tool, style, preamble] of [
    ['makeindex', 'own.ist', '\\usepackage{imakeidx}\\makeindex[options=-s own.ist]'],
    ['xindy', 'own.xdy', '\\usepackage[xindy]{imakeidx}\\makeindex[options=-M own]'],
  ] as const) {
    test(`prints no older index if ${tool} fails`, { skip: !sandbox.has(tool) && `no ${tool} here` }, async () => {
      const source = article(preamble, 'Tides\\index{tides}.\\printindex')
      const compile = (styles: Record<string, string>, warmStartFiles?: ReadonlyMap<string, Uint8Array>) => {
        const files = Object.entries({ 'main.tex': source, ...styles })
        const bytes = new Map(files.map(([path, text]) => [path, new TextEncoder().encode(text)]))
        return runPipeline({ ...corpusJob({ files: bytes, engine: 'pdflatex' }, sandbox), warmStartFiles })
      }
      const { aux } = await compile({ [style]: '' })
      const [warm, cold] = [await compile({}, aux), await compile({})]
      assert.equal(cold.result.errors.length, 1)
      assert.deepEqual(warm.result.errors, cold.result.errors)
      assert.equal(withoutMarks(warm.result.pdf), withoutMarks(cold.result.pdf))
    })
  }

  for (const tool of ['makeindex', 'xindy'] as const) {
    test(`reports a warning of ${tool} again`, { skip: !sandbox.has(tool) && `no ${tool} here` }, async () => {
      const option = tool === 'xindy' ? '[xindy]' : ''
      const entry = tool === 'xindy' ? 'tides|tidal' : 'tides|('
      const source = article(`\\usepackage${option}{imakeidx}\\makeindex`, `Tides\\index{${entry}}.\\printindex`)
      const files = new Map([['main.tex', new TextEncoder().encode(source)]])
      const job = corpusJob({ files, engine: 'pdflatex' }, sandbox)
      const cold = await runPipeline(job)
      const warm = await runPipeline({ ...job, warmStartFiles: cold.aux })
      assert.equal(cold.result.warnings.length, 1)
      assert.deepEqual(warm.result.warnings, cold.result.warnings)
    })
  }
})
