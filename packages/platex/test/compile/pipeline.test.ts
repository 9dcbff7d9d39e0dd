import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompileJob } from '../../src/compile/job.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openProjectCompiler } from '../../src/api/project.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { FontOrder } from '../../src/sandbox/types.ts'
import type { CompileProgress, CompileResult } from '../../src/base/types.ts'
import { corpusJob } from '../support/compile-document.ts'

const sandbox = await openSandbox('auto')

function job(files: Record<string, string>, more: Partial<CompileJob> = {}): CompileJob {
  const encoded = Object.entries(files).map(([path, text]): [string, Uint8Array] => [
    path,
    new TextEncoder().encode(text),
  ])
  return { ...corpusJob({ files: new Map(encoded), engine: 'pdflatex' }, sandbox), ...more }
}

const article = (body: string, preamble = '') =>
  `\\documentclass{article}${preamble}\\begin{document}${body}\\end{document}\n`
const CITING = article('\\section{One}\\label{a}\\ref{a}\\cite{k}\\bibliographystyle{plain}\\bibliography{refs}')
const REFS = '@book{k, author={Alice}, title={Tides}, publisher={Press}, year=2020}\n'
const ENDLESS = article('\\loop\\iftrue\\repeat')

const programs = (result: CompileResult) => result.logs.map((log) => log.engine)

describe('runPipeline', { concurrency: 2 }, () => {
  for (const passes of [1, 2, 3] as const) {
    test(`runs exactly ${passes} engine passes if requested, with tools between them`, async () => {
      const { result } = await runPipeline(job({ 'main.tex': CITING, 'refs.bib': REFS }, { passes }))
      const tools = passes === 1 ? [] : ['bibtex']
      assert.deepEqual(programs(result), [
        'pdflatex',
        ...tools,
        ...Array.from({ length: passes - 1 }, () => 'pdflatex'),
      ])
    })
  }

  test('numbers the runs and gives each a reason', async () => {
    const { result } = await runPipeline(job({ 'main.tex': CITING, 'refs.bib': REFS }))
    assert.deepEqual(
      result.logs.map((log) => `${log.passNumber} ${log.engine}: ${log.reason}`),
      [
        '1 pdflatex: first pass',
        '2 bibtex: main.aux is new',
        '3 pdflatex: main.aux and main.bbl changed',
        '4 pdflatex: main.aux changed',
      ],
    )
  })

  for (const [title, source, pages] of [
    ['that is cited', CITING, [false, false, true]],
    [
      'without a citation',
      article('Words.\\nocite{*}\\bibliographystyle{plain}\\bibliography{refs}'),
      [false, true, true],
    ],
  ] as const) {
    test(`writes pages only if the pass can be the last, with a bibliography ${title}`, async () => {
      const { result } = await runPipeline(job({ 'main.tex': source, 'refs.bib': REFS }))
      const engines = result.logs.filter(({ engine }) => engine === 'pdflatex')
      assert.deepEqual(
        engines.map(({ log }) => log.includes('Output written on')),
        pages,
      )
    })
  }

  test('runs biber for a biblatex document although the caller prefers bibtex', async () => {
    const preamble = '\\usepackage{biblatex}\\addbibresource{refs.bib}'
    const source = article('\\cite{k}\\printbibliography', preamble)
    const { result } = await runPipeline(job({ 'main.tex': source, 'refs.bib': REFS }))
    assert.deepEqual(programs(result), ['pdflatex', 'biber', 'pdflatex', 'pdflatex'])
  })

  test('runs no tool with bibliography none, and warns if the document requires one', async () => {
    const { result } = await runPipeline(job({ 'main.tex': CITING, 'refs.bib': REFS }, { bibliography: 'none' }))
    assert.deepEqual(programs(result).includes('bibtex'), false)
    assert.ok(result.warnings.some(({ message }) => message === 'bibliography: none, but the document asks for BibTeX'))
  })

  test('stops an endless document at the timeout, with one error and no PDF', async () => {
    const { result } = await runPipeline(job({ 'main.tex': ENDLESS }, { timeoutMs: 1_500 }))
    assert.equal(result.pdf, null)
    assert.deepEqual(
      result.errors.map(({ message, file, line }) => ({ message, file, line })),
      [{ message: 'Compilation timed out after 1500 ms (pass 1, pdflatex)', file: null, line: null }],
    )
    assert.deepEqual(
      result.logs.map(({ exitCode, timedOut }) => ({ exitCode, timedOut })),
      [{ exitCode: -1, timedOut: true }],
    )
  })

  test('rejects with the reason of its signal on abort', async () => {
    const controller = new AbortController()
    const onProgress = () => controller.abort(new Error('enough'))
    await assert.rejects(runPipeline(job({ 'main.tex': ENDLESS }, { signal: controller.signal, onProgress })), {
      message: 'enough',
    })
  })

  test('rejects at once if its signal is already aborted', async () => {
    await assert.rejects(
      runPipeline(job({ 'main.tex': ENDLESS }, { signal: AbortSignal.abort(new Error('before')) })),
      {
        message: 'before',
      },
    )
  })

  for (const [title, source] of [
    ['an empty source', ''],
    ['text without a class', 'hello'],
    ['a document without pages', article('')],
    ['a class that does not exist', '\\documentclass{no-such-class}\\begin{document}x\\end{document}'],
    ['a document that stops in the middle', '\\documentclass{article}\\begin{document}x\\textbf{'],
  ]) {
    test(`answers ${title} with errors and no PDF`, async () => {
      const { result } = await runPipeline(job({ 'main.tex': source ?? '' }))
      assert.equal(result.pdf, null)
      assert.ok(result.errors.length > 0)
    })
  }

  test('returns PDF and errors if TeX continues after them', async () => {
    const { result } = await runPipeline(job({ 'main.tex': article('Words \\unknowncommand more.') }))
    assert.notEqual(result.pdf, null)
    assert.equal(result.pages, 1)
    assert.deepEqual(
      result.errors.map(({ file, line, message }) => ({ file, line, message })),
      [{ file: 'main.tex', line: 1, message: 'Undefined control sequence: \\unknowncommand' }],
    )
  })

  test('returns no PDF if the last pass made none, although an earlier pass did', async () => {
    const note =
      '\\makeatletter\\immediate\\write\\@auxout{\\string\\csname\\space @@end\\string\\endcsname}\\makeatother'
    const { result } = await runPipeline(job({ 'main.tex': article(`Words.${note}`) }))
    assert.deepEqual([result.pdf, result.errors.length > 0, result.logs.length], [null, true, 2])
  })

  test('creates the folder for the aux file of an included file', async () => {
    const { result } = await runPipeline(job({ 'main.tex': article('Words.\\include{missing/part}') }))
    assert.notEqual(result.pdf, null)
  })

  test('reports a file that cannot be written because its folder is a file', async () => {
    const source = article('\\newwrite\\notes\\immediate\\openout\\notes=main.tex/x Words.% \\include{main.tex/y}')
    const { result } = await runPipeline(job({ 'main.tex': source }))
    assert.deepEqual(
      result.errors.map(({ message }) => message.split(/[`:]/)[0]),
      ["I can't write on file ", 'Emergency stop'],
    )
  })

  test('warns about a package that requires a shell', async () => {
    const source = article('\\begin{minted}{c}\nint x;\n\\end{minted}\n', '\\usepackage{minted}')
    const { result } = await runPipeline(job({ 'main.tex': source }))
    assert.ok(result.warnings.some(({ message }) => message.startsWith('minted needs shell escape')))
  })

  test('limits the log of a document that prints endlessly', async () => {
    const source = article(
      'Words.',
      '\\newcount\\n\\loop\\typeout{The number is \\the\\n}\\advance\\n by1 \\ifnum\\n<90000 \\repeat',
    )
    const { result } = await runPipeline(job({ 'main.tex': source }))
    assert.notEqual(result.pdf, null)
    assert.ok(result.logs.every((log) => Buffer.byteLength(log.log) <= 1024 * 1024))
  })

  test('makes the same PDF for the same time', async () => {
    const one = await runPipeline(job({ 'main.tex': article('Today is \\today.') }))
    const two = await runPipeline(job({ 'main.tex': article('Today is \\today.') }))
    assert.deepEqual(one.result.pdf, two.result.pdf)
  })

  test('reports its progress', async () => {
    const seen: CompileProgress['kind'][] = []
    await runPipeline(job({ 'main.tex': article('Words.') }, { onProgress: ({ kind }) => seen.push(kind) }))
    assert.deepEqual(seen, ['pass-started', 'page', 'pass-ended', 'skipped'])
  })

  test('runs at most four tools at the same time for a document with many indexes', async () => {
    const names = Array.from({ length: 12 }, (_, number) => `people${number}`)
    const source = article(
      `${names.map((name) => `\\index[${name}]{Alice}`).join('')}Words.`,
      `\\usepackage[noautomatic]{imakeidx}${names.map((name) => `\\makeindex[name=${name}]`).join('')}`,
    )
    let [running, most, runs] = [0, 0, 0]
    const onProgress = (progress: CompileProgress): void => {
      if (!('program' in progress) || progress.program !== 'makeindex') return
      if (progress.kind === 'pass-started') runs += 1
      running += progress.kind === 'pass-started' ? 1 : -1
      most = Math.max(most, running)
    }
    await runPipeline(job({ 'main.tex': source }, { onProgress }))
    assert.equal(runs, 12)
    // On a busy machine, fewer overlap.
    assert.ok(most > 1 && most <= 4, `${most} at the same time`)
  })

  for (const kind of ['pass-started', 'page', 'pass-ended', 'skipped']) {
    test(`rejects with the exception of its listener at ${kind}`, async () => {
      const fault = new Error('the listener is broken')
      const onProgress = (progress: CompileProgress): void => {
        if (progress.kind === kind) throw fault
      }
      const compiling = runPipeline(job({ 'main.tex': article('Words.') }, { onProgress }))
      await assert.rejects(compiling, fault)
    })
  }

  test('runs one pass and no tool with the aux files of an earlier compile', async () => {
    const files = { 'main.tex': CITING, 'refs.bib': REFS }
    const first = await runPipeline(job(files))
    const second = await runPipeline(job(files, { warmStartFiles: first.aux }))
    assert.deepEqual(programs(second.result), ['pdflatex'])
    assert.deepEqual(second.result.pdf, first.result.pdf)
    assert.deepEqual(second.inputs, ['main.tex', 'refs.bib'])
  })

  test('uses no warm-start files if the passes are counted', async () => {
    const files = { 'main.tex': CITING, 'refs.bib': REFS }
    const { aux } = await runPipeline(job(files))
    const seeded = await runPipeline(job(files, { warmStartFiles: aux, passes: 1 }))
    const clean = await runPipeline(job(files, { passes: 1 }))
    assert.deepEqual(seeded.result.pdf, clean.result.pdf)
  })

  test('continues after warm-start files that no longer match the document', async () => {
    const first = await runPipeline(job({ 'main.tex': CITING, 'refs.bib': REFS }))
    const grown = CITING.replace('\\cite{k}', '\\cite{k,l}')
    const files = { 'main.tex': grown, 'refs.bib': REFS + REFS.replace('{k,', '{l,') }
    const seeded = await runPipeline(job(files, { warmStartFiles: first.aux }))
    const clean = await runPipeline(job(files))
    assert.deepEqual(seeded.result.pdf, clean.result.pdf)
  })

  test('makes the PDF of XeTeX with one driver run at the end', async () => {
    const { result } = await runPipeline(
      job({ 'main.tex': article('\\tableofcontents\\section{One}') }, { engine: 'xelatex' }),
    )
    assert.deepEqual(programs(result), ['xelatex', 'xelatex'])
    assert.notEqual(result.pdf, null)
  })

  test('does not repeat a compile from warm-start files that leaves more than can be kept', async () => {
    const reasons: string[] = []
    const onProgress = (progress: CompileProgress) => {
      if (progress.kind === 'pass-started') reasons.push(progress.reason)
    }
    const writing = `\\immediate\\write\\tides{${'x'.repeat(1000)}}`
    const loop = `\\count1=0 \\loop${writing}\\advance\\count1 by 1 \\ifnum\\count1<18000 \\repeat`
    const source = article(`Words.\\newwrite\\tides\\immediate\\openout\\tides=main.tides ${loop}`)
    const warmStartFiles = new Map([['main.aux', new TextEncoder().encode('\\relax \n')]])
    const { aux, isComplete } = await runPipeline(job({ 'main.tex': source }, { warmStartFiles, onProgress }))
    assert.deepEqual([aux.size, isComplete], [0, true])
    assert.deepEqual(
      reasons.filter((reason) => reason === 'first pass'),
      ['first pass'],
    )
  })

  test('returns the fatal error of a compile from warm-start files if its repetition times out', async () => {
    const source = article('\\IfFileExists{main.tides}{\\input{absent}}{\\loop\\iftrue\\repeat}')
    const warmStartFiles = new Map([['main.tides', new Uint8Array()]])
    const { result, isComplete } = await runPipeline(job({ 'main.tex': source }, { warmStartFiles, timeoutMs: 8_000 }))
    assert.match(result.errors.map(({ message }) => message).join('\n'), /absent/)
    assert.equal(isComplete, false)
  })
})

describe('openProjectCompiler', { concurrency: 2 }, () => {
  test('compiles a root file in its own folder, and reports files relative to the project', async () => {
    const compiler = await openProjectCompiler({ sandbox: 'auto' })
    const { files } = job({
      'paper/thesis.tex': article('\\input{sections/intro}\\input{../shared/words}\\include{parts/one}'),
      'paper/sections/intro.tex': 'Intro.\n\\unknownhere\n',
      'paper/parts/one.tex': 'One.\n',
      'shared/words.tex': 'Shared.\n\\unknownthere\n',
    })
    const project = {
      rootFile: 'paper/thesis.tex',
      files,
      engine: 'pdflatex',
      timeoutMs: 60_000,
      synctex: true,
    } as const
    const { result, inputs, synctex } = await compiler.compile(project)
    assert.deepEqual(
      result.errors.map(({ file, line }) => ({ file, line })),
      [
        { file: 'paper/sections/intro.tex', line: 2 },
        { file: 'shared/words.tex', line: 2 },
      ],
    )
    assert.deepEqual(inputs, [
      'paper/parts/one.tex',
      'paper/sections/intro.tex',
      'paper/thesis.tex',
      'shared/words.tex',
    ])
    const named = [
      ...Buffer.from(synctex ?? [])
        .toString()
        .matchAll(/^Input:\d+:([^/].*\.tex)$/gm),
    ].map(([, name]) => name)
    assert.deepEqual([...new Set(named)].sort(), inputs)
    await compiler.close()
  })

  test('does not mistake a committed PDF for its own', async () => {
    const compiler = await openProjectCompiler({ sandbox: 'auto' })
    const { files } = job({ 'main.tex': '\\stop', 'main.pdf': '%PDF-1.5\n%%EOF\n' })
    const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 30_000 })
    assert.equal(result.pdf, null)
    assert.deepEqual(
      result.warnings.map(({ message }) => message),
      ['main.pdf was ignored: a compile makes this file itself'],
    )
    await compiler.close()
  })

  test('compiles a project whose committed aux file is from another TeX system', async () => {
    const compiler = await openProjectCompiler({ sandbox: 'auto' })
    const { files } = job({
      'main.tex': article('Words.\\label{a}\\ref{a}'),
      'main.aux': '\\relax\n\\nosuchcommand{x}\n',
    })
    const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 30_000 })
    assert.deepEqual([result.pages, result.errors], [1, []])
    await compiler.close()
  })

  test('waits for the index of the fonts before LuaLaTeX and its time limit start', async () => {
    const events: string[] = []
    const indexed = Promise.withResolvers<void>()
    const { result } = await runPipeline({
      ...job({ 'main.tex': article('Words.') }, { engine: 'lualatex', passes: 1, waitsForFonts: true }),
      sandbox: Object.create(sandbox, { prepareFonts: { value: () => indexed.promise } }),
      onProgress: (progress) => {
        if (progress.kind === 'pass-started') events.push(progress.program)
        if (progress.kind === 'pass-started') indexed.resolve()
      },
    })
    assert.deepEqual([events, result.pages], [['luaotfload-tool', 'lualatex'], 1])
  })

  test('counts the index of the fonts for callers with a time limit of their own', async () => {
    const { result } = await runPipeline({
      ...job({ 'main.tex': article('Words.') }, { engine: 'lualatex', passes: 1 }),
      sandbox: Object.create(sandbox, { prepareFonts: { value: () => new Promise(() => {}) } }),
    })
    assert.equal(result.pages, 1)
  })

  for (const waitsForFonts of [true, false]) {
    test(`${waitsForFonts ? 'does not count' : 'counts'} the time of METAFONT for shared fonts`, async () => {
      const timeoutMs = 8_000
      const source = String.raw`\documentclass{article}\font\signs=nosuchfont\begin{document}\signs A\end{document}`
      const { result } = await runPipeline({
        ...job({ 'main.tex': source }, { passes: 1, timeoutMs, waitsForFonts }),
        sandbox: Object.create(sandbox, {
          makeFonts: {
            value: async ({ requests }: FontOrder) => {
              await sleep(timeoutMs)
              return requests.map(({ name }) => name)
            },
          },
        }),
      })
      const isTimedOut = result.errors.some(({ message }) => message.startsWith('Compilation timed out'))
      const isWarned = result.warnings.some(({ message }) => message.startsWith('METAFONT generated fonts'))
      assert.deepEqual([isTimedOut, isWarned], [!waitsForFonts, !waitsForFonts])
    })
  }

  test('stops waiting for the index of the fonts on abort', async () => {
    const controller = new AbortController()
    const compiled = runPipeline({
      ...job({ 'main.tex': article('Words.') }, { engine: 'lualatex', waitsForFonts: true }),
      sandbox: Object.create(sandbox, { prepareFonts: { value: () => new Promise(() => {}) } }),
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('no longer wanted')),
    })
    await assert.rejects(compiled, new Error('no longer wanted'))
  })
})
