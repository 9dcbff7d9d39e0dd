/** Real-world projects: helper programs of all kinds, and output of programs that compiles cannot start. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openProjectCompiler } from '../../src/api/project.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { CompileResult } from '../../src/base/types.ts'
import { bytesOf } from '../support/documents.ts'

const compiler = await openProjectCompiler({ sandbox: 'auto' })
const { has } = await openSandbox('auto')
const withoutXindy = { skip: has('xindy') && has('texindy') ? false : 'xindy is not installed' }

async function compile(files: Readonly<Record<string, string>>, rootFile = 'main.tex'): Promise<CompileResult> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return (await compiler.compile({ rootFile, files: given, engine: 'pdflatex', timeoutMs: 60_000 })).result
}

describe('a project', { concurrency: 2 }, () => {
  test('with an index that xindy sorts in a custom order', withoutXindy, async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage[T1]{fontenc}\usepackage[xindy]{imakeidx}
\makeindex[program=texindy,options=-M order]
\begin{document}\index{apple}\index{zebra}Words.\printindex\end{document}`,
      'order.xdy': '(markup-locclass-list :open "\\dotfill " :sep ", ")\n',
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 2])
  })

  test('with a glossary that xindy sorts', withoutXindy, async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage[T1]{fontenc}\usepackage[xindy]{glossaries}\makeglossaries
\newglossaryentry{sea}{name={sea},description={water}}
\begin{document}\gls{sea}\printglossaries\end{document}`,
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
    assert.match(result.logs.at(-1)?.log ?? '', /\(\.\/main\.gls/)
  })

  test('with a chapter in UTF-16 has one error, in that chapter', async () => {
    const files = new Map([
      ['main.tex', bytesOf('\\documentclass{article}\\begin{document}Words.\n\n\\input{one}\\end{document}\n')],
      ['one.tex', new Uint8Array(Buffer.from('\ufeffCaf\u00e9.\n\\section{One}\n', 'utf16le'))],
    ])
    const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 60_000 })
    const causes = result.errors.filter(({ cause }) => cause === undefined)
    assert.deepEqual(
      causes.map(({ file, line, message }) => [file, line, message]),
      [['one.tex', 1, 'one.tex is encoded in UTF-16, which pdflatex cannot read']],
    )
  })

  test('with UTF-16 appended to a chapter has the errors in that chapter', async () => {
    const files = new Map([
      ['main.tex', bytesOf('\\documentclass{article}\\begin{document}Words.\n\n\\input{one}\\end{document}\n')],
      ['one.tex', new Uint8Array([...bytesOf('Words.\n'), ...Buffer.from('More.\n', 'utf16le')])],
    ])
    const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 60_000 })
    assert.deepEqual(
      result.errors.map(({ file, line, message }) => [file, line, message]),
      [
        ['one.tex', 2, 'Text line contains an invalid character.'],
        ['one.tex', 3, 'Text line contains an invalid character.'],
      ],
    )
  })

  test('with a line that is too long for TeX has an error there, also below another one', async () => {
    const chapter = `Words.\n\n${'tide '.repeat(41_000)}\n`
    const { errors } = await compile({
      'main.tex': '\\documentclass{article}\\begin{document}\\foo\n\\input{one}\\end{document}\n',
      'one.tex': chapter,
      'refs.bib': chapter,
    })
    assert.deepEqual(
      errors.map(({ file, line, message, code }) => [file, line, message, code]),
      [
        ['main.tex', 1, 'Undefined control sequence: \\foo', 'undefined-command'],
        ['one.tex', 3, 'Unable to read an entire line---bufsize=200000.', 'capacity-exceeded'],
      ],
    )
  })

  test('with a table of characters in its first line, as in old Polish documents', async () => {
    const source = Buffer.from(
      String.raw`%& --translate-file=il2-pl
\documentclass{article}\usepackage{polski}\begin{document}za\.zó\l{} gê\'sl\'a ja¼ñ\end{document}`.replaceAll(
        '\\\\',
        '\\',
      ),
      'latin1',
    )
    const files = new Map([['main.tex', new Uint8Array(source)]])
    const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 60_000 })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
  })

  test('with a documented source, which reads itself by the name of its job', async () => {
    const source = String.raw`% \iffalse
\documentclass{ltxdoc}\begin{document}\DocInput{\jobname.dtx}\end{document}
% \fi
% A pier.`
    const result = await compile({ 'pier.dtx': source }, 'pier.dtx')
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
  })

  test('whose latexmkrc puts its folders on the search paths', async () => {
    const main = String.raw`\documentclass{article}\usepackage{pier}
\begin{document}\pier\cite{tide}\bibliographystyle{sea}\bibliography{refs}\end{document}`
    const files = {
      'tex/deep/pier.sty': String.raw`\newcommand\pier{Pier.}`,
      'lists/refs.bib': '@misc{tide,title={Tide}}',
      'styles/sea.bst': String.raw`ENTRY {title} {} {}
FUNCTION {misc} {"\bibitem{" cite$ * "}" * title * write$ newline$}
FUNCTION {open} {"\begin{thebibliography}{1}" write$ newline$}
FUNCTION {close} {"\end{thebibliography}" write$ newline$}
READ EXECUTE {open} ITERATE {call.type$} EXECUTE {close}
`,
    }
    const rc = String.raw`# ensure_path('TEXINPUTS', './absent//');
ensure_path( 'TEXINPUTS', './tex//' );
$ENV{'BIBINPUTS'} = "./lists:$ENV{'BIBINPUTS'}";
$ENV{BSTINPUTS} .= ':./styles//';`
    const beside = await compile({ ...files, 'main.tex': main, latexmkrc: rc })
    assert.deepEqual([beside.errors, beside.warnings, beside.pages], [[], [], 1])
    const above = await compile({ ...files, 'paper/main.tex': main, '.latexmkrc': rc }, 'paper/main.tex')
    assert.deepEqual([above.errors, above.warnings, above.pages], [[], [], 1])
  })

  test('whose latexmkrc names the folder of the styles of its index', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{imakeidx}\makeindex[options=-s one.ist]
\begin{document}\index{tide}Words.\printindex\end{document}`,
      'styles/one.ist': 'preamble "\\\\begin{theindex}\\\\typeout{One.}"\n',
      'styles/two.ist': 'preamble "\\\\begin{theindex}\\\\typeout{Two.}"\n',
      latexmkrc: `$ENV{'INDEXSTYLE'} = './styles//:' . $ENV{'INDEXSTYLE'};`,
    })
    assert.deepEqual([result.errors, result.warnings], [[], []])
    assert.match(result.logs.at(-1)?.log ?? '', /^One\.$/m)
  })

  test('whose latexmkrc names the style of its index', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{makeidx}\makeindex
\begin{document}\index{tide}Words.\printindex\end{document}`,
      'one.ist': 'preamble "\\\\begin{theindex}\\\\typeout{One.}"\n',
      'two.ist': 'preamble "\\\\begin{theindex}\\\\typeout{Two.}"\n',
      latexmkrc: `$makeindex = 'makeindex -s two.ist %O -o %D %S';`,
    })
    assert.deepEqual([result.errors, result.warnings], [[], []])
    assert.match(result.logs.at(-1)?.log ?? '', /^Two\.$/m)
  })

  test('whose latexmkrc sets the alphabet of its bibliography', async () => {
    const main = String.raw`\documentclass{article}\usepackage{biblatex}\addbibresource{refs.bib}
\AtEveryBibitem{\typeout{Item: \thefield{entrykey}}}
\begin{document}\nocite{*}\printbibliography\end{document}`
    const databases = '@misc{oeberg, author={Öberg, Alice}, title={A}}\n@misc{zorn, author={Zorn, Bob}, title={B}}\n'
    const files = { 'main.tex': main, 'refs.bib': databases }
    const itemsOf = async (latexmkrc: string): Promise<readonly string[]> => {
      const { logs } = await compile({ ...files, latexmkrc })
      return [...(logs.at(-1)?.log ?? '').matchAll(/^Item: (\w+)$/gm)].map(([, key = '']) => key)
    }
    assert.deepEqual(
      [await itemsOf('$pdf_mode = 1;'), await itemsOf(`$biber = 'biber -l sv --quiet %O %S';`)],
      [
        ['oeberg', 'zorn'],
        ['zorn', 'oeberg'],
      ],
    )
  })

  test('that reads the labels of another document does not sort its bibliography', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{xr}\externaldocument{paper}
\begin{document}See \ref{tide}.\end{document}`,
      'paper.aux': String.raw`\relax
\newlabel{tide}{{1}{1}}
\citation{wave}
\bibstyle{plain}
\bibdata{absent}
`,
    })
    const programs = result.logs.map(({ engine }) => engine)
    assert.deepEqual([result.errors, result.warnings, programs], [[], [], ['pdflatex']])
  })

  test('with an index of indextools has it sorted as its options say', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{indextools}\makeindex[options=-s one.ist]
\begin{document}\index{tide}Words.\printindex\end{document}`,
      'one.ist': 'preamble "\\\\begin{theindex}\\\\typeout{One.}"\n',
      'two.ist': 'preamble "\\\\begin{theindex}\\\\typeout{Two.}"\n',
    })
    assert.deepEqual([result.errors, result.warnings], [[], []])
    assert.match(result.logs.at(-1)?.log ?? '', /^One\.$/m)
  })

  test('with the style of its nomenclature has an index', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{makeidx,nomencl}\makeindex\makenomenclature
\begin{document}Tide\index{tide}\nomenclature{$h$}{height}\printnomenclature\printindex\end{document}`,
      'nomencl.ist': String.raw`keyword "\\nomenclatureentry" actual '@' delim_0 ""
preamble "\\begin{thenomenclature}\n" postamble "\n\n\\end{thenomenclature}\n"`,
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 2])
    assert.match(result.logs.at(-1)?.log ?? '', /\(\.\/main\.ind/)
  })

  test('with several indexes in one file, which splitindex would separate', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage[splitindex]{imakeidx}\makeindex\makeindex[name=people]
\begin{document}\index{tide}\index[people]{Alice}Words.\printindex\printindex[people]\end{document}`,
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 3])
  })

  test('with TikZ externalization has its pictures typeset in place, with one warning', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{tikz}\usetikzlibrary{external}\tikzexternalize[prefix=made/]
\begin{document}\tikz\draw (0,0)--(1,1); and \tikz\draw (0,1)--(1,0);\end{document}`,
    })
    assert.deepEqual(
      [result.errors, result.pages, result.warnings.map(({ message }) => message)],
      [
        [],
        1,
        [
          'TikZ externalization needs shell escape, which is disabled here: its pictures are typeset in place. ' +
            'Commit their PDFs, or remove \\tikzexternalize.',
        ],
      ],
    )
  })

  test('with data computed by gnuplot draws the data', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage{tikz}
\begin{document}\begin{tikzpicture}\draw plot[id=sin] function{sin(x)};\end{tikzpicture}\end{document}`,
      'main.sin.gnuplot': 'set table "main.sin.table"; set format "%.5f"\nset samples 25; plot [x=-5:5] sin(x)\n',
      'main.sin.table': '# Curve 0 of 1, 2 points\n0.0 0.0 i\n1.0 1.0 i\n',
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
  })

  test('with a frozen cache of minted requires no shell', async () => {
    const result = await compile({
      'main.tex': String.raw`\documentclass{article}\usepackage[frozencache,cachedir=cache]{minted}
\begin{document}
\begin{minted}{c}
int x;
\end{minted}
\end{document}`,
      'cache/default.pygstyle': String.raw`\makeatletter\def\PYG#1#2{#2}\makeatother`,
      'cache/listing1.pygtex': '\\begin{Verbatim}[commandchars=\\\\\\{\\}]\n\\PYG{k+kt}{int} x;\n\\end{Verbatim}\n',
    })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
  })

  test('with its root in a folder reads files beside that folder', async () => {
    const result = await compile(
      {
        'paper/main.tex': String.raw`\documentclass{article}\input{../shared/macros}
\begin{document}\hi\cite{alice}\bibliographystyle{plain}\bibliography{../shared/refs}\include{part}\end{document}`,
        'paper/part.tex': 'A part.\n',
        'shared/macros.tex': '\\newcommand\\hi{Hi}\n',
        'shared/refs.bib': '@book{alice, author = {Alice}, title = {Tides}, publisher = {P}, year = 2000}\n',
      },
      'paper/main.tex',
    )
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 2])
  })
})
