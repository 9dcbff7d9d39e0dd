/** Real failures of programs around TeX: each is an error that says what happened. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { CompileResult, Engine } from '../../src/base/types.ts'
import { corpusJob } from '../support/compile-document.ts'
import { bytesOf } from '../support/documents.ts'

const sandbox = await openSandbox('auto')

async function compile(files: Readonly<Record<string, string>>, engine: Engine = 'pdflatex'): Promise<CompileResult> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return (await runPipeline(corpusJob({ files: given, engine }, sandbox))).result
}

const errorsOf = ({ errors }: CompileResult) =>
  errors.map(({ file, line, message, source }) => ({ file, line, message, source }))

/** A biblatex document whose source map makes biber run Perl, the only way to control how biber ends. */
function biberRunning(perl: string): Readonly<Record<string, string>> {
  const step = String.raw`\step[fieldsource=title, match=\regexp{.+}, replace=\regexp{@{[do(q(./end.pl))]}}]`
  return {
    'main.tex': String.raw`\documentclass{article}\usepackage{biblatex}
\DeclareSourcemap{\maps[datatype=bibtex]{\map{${step}}}}\addbibresource{refs.bib}
\begin{document}\cite{alice}\printbibliography\end{document}`,
    'refs.bib': '@book{alice, title = {Tides}, author = {Alice}, year = 2000}',
    'end.pl': perl,
  }
}

describe('a tool that fails', { concurrency: 2 }, () => {
  test('bib2gls is a warning that names its output, unless the project contains the output', async () => {
    const source = String.raw`\documentclass{article}\usepackage[record]{glossaries-extra}
\GlsXtrLoadResources[src={entries}]
\begin{document}The \gls{tide}.\printunsrtglossaries\end{document}`
    const entry = String.raw`\newglossaryentry{tide}{name={tide},description={rise and fall of the sea}}`
    const about = ({ warnings }: CompileResult) => warnings.filter(({ message }) => message.startsWith('bib2gls'))
    const message =
      'bib2gls cannot run in the sandbox, so the glossaries stay empty: add main.glstex to the project, or use makeindex'
    assert.deepEqual(
      [
        about(await compile({ 'main.tex': source })),
        about(await compile({ 'main.tex': source, 'main.glstex': entry })),
      ],
      [[{ type: 'warning', code: 'other', file: null, line: null, message }], []],
    )
  })

  for (const [last, messages] of [
    [String.raw`\endinput`, []],
    [String.raw`\end`, [String.raw`"\" can't start a style-file command`]],
  ] as const)
    test(`a style that ends in ${last} is ${messages.length === 0 ? 'no' : 'an'} error of BibTeX`, async () => {
      const result = await compile({
        'main.tex': String.raw`\documentclass{article}\begin{document}\cite{tide}
\bibliographystyle{sea}\bibliography{refs}\end{document}`,
        'refs.bib': '@misc{tide,title={Tide}}',
        'sea.bst': String.raw`ENTRY {title} {} {}
FUNCTION {misc} {"\bibitem{" cite$ * "}" * title * write$ newline$}
FUNCTION {open} {"\begin{thebibliography}{1}" write$ newline$}
FUNCTION {close} {"\end{thebibliography}" write$ newline$}
READ EXECUTE {open} ITERATE {call.type$} EXECUTE {close}
${last}
`,
      })
      assert.deepEqual([result.errors.map(({ message }) => message), result.warnings, result.pages], [messages, [], 1])
    })

  test('a chapter that \\includeonly excludes is no error of BibTeX', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{book}\includeonly{ebb}
\begin{document}\include{flood}\include{ebb}\bibliographystyle{plain}\bibliography{refs}\end{document}`,
      'flood.tex': String.raw`\chapter{Flood}`,
      'ebb.tex': String.raw`\chapter{Ebb}\cite{alice}`,
      'refs.bib': '@book{alice, title = {Tides}, author = {Alice}, publisher = {Bob}, year = 2000}',
    })
    const runs = result.logs.map(({ engine, exitCode }) => [engine, exitCode])
    assert.deepEqual([runs[1], errorsOf(result)], [['bibtex', 2], []])
  })

  test('an index with an invalid entry is no error in a document that does not print it', async () => {
    const source = String.raw`\documentclass{article}\usepackage{makeidx}\makeindex
\begin{document}Tides\index{tides|see|more}\end{document}`
    assert.deepEqual(errorsOf(await compile({ 'main.tex': source })), [])
  })

  test('biber that is killed is an error that names the signal and its likely cause', async () => {
    assert.deepEqual(errorsOf(await compile(biberRunning('kill 9, $$;'))), [
      {
        file: null,
        line: null,
        message: 'biber was killed by the system (SIGKILL), most likely because memory ran out (pass 2, biber)',
        source: 'biber',
      },
    ])
  })

  test('biber that fails without an error in its log is an error with its exit code', async () => {
    assert.deepEqual(errorsOf(await compile(biberRunning('require POSIX; POSIX::_exit(7);'))), [
      { file: null, line: null, message: 'biber failed on main.bcf (exit code 7)', source: 'biber' },
    ])
  })

  test('biber that exceeds its memory is an error that says so', async () => {
    assert.deepEqual(errorsOf(await compile(biberRunning('my $x = "x" x 3e9;'))), [
      {
        file: null,
        line: null,
        message: 'biber needs more memory than a compile may have (main.bcf)',
        source: 'biber',
      },
    ])
  })

  test('makeindex that rejects an entry is an error on the line of the entry', async () => {
    const source = String.raw`\documentclass{article}\usepackage{makeidx}\makeindex
\begin{document}
Tides\index{tide}
Waves\index{wave@wave@sea}
\printindex\end{document}`
    assert.deepEqual(errorsOf(await compile({ 'main.tex': source })), [
      {
        file: 'main.tex',
        line: 4,
        message: "makeindex left out an entry: Extra `@' at position 10 of first argument.",
        source: 'latex',
      },
    ])
  })

  test('makeindex without its style is an error that names the style', async () => {
    const source = String.raw`\documentclass{article}\usepackage{imakeidx}\makeindex[options=-s nosuch]
\begin{document}Tides\index{tide}\printindex\end{document}`
    assert.deepEqual(errorsOf(await compile({ 'main.tex': source })), [
      { file: 'main.tex', line: 1, message: 'makeindex: Index style file nosuch not found.', source: 'latex' },
    ])
  })

  test('a driver that makes no PDF is an error in addition to errors of the document', async () => {
    const source = String.raw`\documentclass{article}\begin{document}\nosuch
\special{pdf:image (no-such-picture.pdf)}\special{pdf:bxobj @x}text\end{document}`
    const result = await compile({ 'main.tex': source }, 'xelatex')
    assert.deepEqual([result.pdf, result.errors.some(({ message }) => message.includes('dvipdfmx'))], [null, true])
  })
})
