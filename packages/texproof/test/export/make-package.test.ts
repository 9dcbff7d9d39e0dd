import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openProjectCompiler, type ProjectCompiler } from '@texproof/platex/project'
import { unzipSync } from 'fflate'

import { openParsers } from '../../src/base/open-parsers.ts'
import { makePackage } from '../../src/operations/export/make-package.ts'
import type { Package, PackRequest } from '../../src/operations/export/types.ts'
import { drawPng } from '../support/web/draw-picture.ts'

const parsers = openParsers()
let cacheDir: string
let compiler: ProjectCompiler

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'texproof-pack-'))
  compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
})
after(async () => {
  await compiler.close()
  await parsers.close()
  await rm(cacheDir, { recursive: true, force: true })
})

const eps = '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 20 20\n0 0 moveto 20 20 lineto stroke\nshowpage\n'
const paper = {
  'paper/main.tex': String.raw`\documentclass{article}
\usepackage{graphicx,url}
\graphicspath{{figures/}}
\title{Tides}\author{Alice Example\thanks{alice@example.org}}\date{May 2026}
\begin{document}
\maketitle
% TODO: ask bob
\input{sections/intro}
\includegraphics{high tide}
\includegraphics[alt={A line}]{low}
\section*{Acknowledgements} We thank Bob Example.
\bibliographystyle{plain}
\bibliography{refs}
\end{document}
`,
  'paper/sections/intro.tex': 'The sea rises 50\\% \\cite{sea}, see \\url{https://example.org/a%20b}.\n',
  'paper/refs.bib': '@book{sea, author={Carol Wave}, title={The Sea}, publisher={Shore}, year={2020}}\n',
  'paper/figures/high tide.eps': eps,
  'paper/figures/low.eps': eps.replace('stroke', '0 20 lineto stroke'),
  'paper/draft.tex': 'Not used.\n',
  'notes.md': 'Not used.\n',
}

function pack(files: Readonly<Record<string, string | Uint8Array>>, request: Partial<PackRequest> = {}) {
  return makePackage(
    {
      files: new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)])),
      rootFile: 'paper/main.tex',
      engine: 'pdflatex',
      bibliography: 'bibtex',
      timeoutMs: 60_000,
      sourceDateEpoch: 1_700_000_000,
      target: 'arxiv',
      options: { isFlat: false, withoutComments: false, withoutNotes: false, isAnonymous: false },
      name: 'tides',
      ownerId: 'alice',
      ...request,
    },
    { compiler, parsers, onStep: () => {} },
  )
}

function assertPacked(outcome: Awaited<ReturnType<typeof pack>>): asserts outcome is Package {
  assert.equal(outcome.kind, 'packed')
}

function readText(made: Package, path: string): string {
  return Buffer.from(unzipSync(made.zip)[path] ?? []).toString()
}

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><path d="M0 0L40 30" stroke="red"/></svg>'

const drawing = {
  'main.tex': String.raw`\documentclass{article}
\usepackage{svg}
\svgpath{{figures/}}
\begin{document}
\includesvg[width=2cm]{tide} \includesvg[height=1cm,pretex=\small]{figures/wave.svg}
\newcommand\kept{kept}\includesvg{\kept}
\end{document}
`,
  'figures/tide.svg': svg,
  'figures/wave.svg': svg.replace('red', 'blue'),
  'figures/kept.svg': svg.replace('red', 'green'),
}

test('makePackage() replaces SVG pictures by the PDFs of the build', async () => {
  const made = await pack(drawing, { rootFile: 'main.tex' })
  assertPacked(made)
  assert.deepEqual(
    [made.files, readText(made, 'main.tex').split('\n')[4], made.verification],
    [
      [
        '00README.json',
        'figures/kept.svg',
        'figures/tide_svg-tex.pdf',
        'figures/tide_svg-tex.pdf_tex',
        'figures/wave_svg-tex.pdf',
        'figures/wave_svg-tex.pdf_tex',
        'main.tex',
      ],
      String.raw`\includeinkscape[width=2cm]{figures/tide_svg-tex.pdf_tex} \includeinkscape[height=1cm,pretex=\small]{figures/wave_svg-tex.pdf_tex}`,
      { kind: 'same', pageCount: 1 },
    ],
  )
  assert.deepEqual(
    made.findings.filter(({ level }) => level === 'error').map(({ message }) => message),
    ['figures/kept.svg needs a converter, which arXiv and journals do not run'],
  )
})

test('makePackage() gives SVG pictures names in one folder', async () => {
  const options = { isFlat: true, withoutComments: false, withoutNotes: false, isAnonymous: false }
  const made = await pack(drawing, { rootFile: 'main.tex', options })
  assertPacked(made)
  assert.deepEqual(
    [made.files.filter((path) => path.includes('wave')), made.verification],
    [['wave_svg-tex.pdf', 'wave_svg-tex.pdf_tex'], { kind: 'same', pageCount: 1 }],
  )
})

test('makePackage() packs what the document reads, and the package alone gives the same pages', async () => {
  const made = await pack(paper)
  assertPacked(made)
  assert.deepEqual(
    [made.fileName, made.files, made.leftOut, made.verification, JSON.parse(readText(made, '00README.json'))],
    [
      'tides-arxiv.zip',
      [
        '00README.json',
        'figures/high tide-eps-converted-to.pdf',
        'figures/high tide.eps',
        'figures/low-eps-converted-to.pdf',
        'figures/low.eps',
        'main.bbl',
        'main.tex',
        'sections/intro.tex',
      ],
      ['notes.md', 'paper/draft.tex'],
      { kind: 'same', pageCount: 1 },
      { process: { compiler: 'pdflatex' }, sources: [{ filename: 'main.tex', usage: 'toplevel' }] },
    ],
  )
  assert.deepEqual(
    made.findings.filter(({ level }) => level === 'error').map(({ message, file, line }) => [message, file, line]),
    [
      [
        'The name "figures/high tide.eps" has characters that other systems may reject',
        'paper/figures/high tide.eps',
        null,
      ],
    ],
  )
})

test('makePackage() makes one flat source with safe names and without comments', async () => {
  const made = await pack(paper, {
    target: 'journal',
    options: { isFlat: true, withoutComments: true, withoutNotes: false, isAnonymous: false },
  })
  assertPacked(made)
  const source = readText(made, 'main.tex')
  assert.deepEqual(
    [
      made.files,
      made.verification,
      made.findings.filter(({ level }) => level === 'error'),
      /TODO/.test(source),
      source.includes('rises 50\\% \\cite{sea}, see \\url{https://example.org/a%20b}.\n{}\n'),
      source.includes('\\includegraphics{high-tide}'),
    ],
    [
      [
        'high-tide-eps-converted-to.pdf',
        'high-tide.eps',
        'low-eps-converted-to.pdf',
        'low.eps',
        'main.bbl',
        'main.tex',
        'refs.bib',
      ],
      { kind: 'same', pageCount: 1 },
      [],
      false,
      true,
      true,
    ],
  )
})

test('makePackage() removes to-do notes from pages and sources', async () => {
  const noted = String.raw`\documentclass{article}
\usepackage{todonotes}
\newcommand{\bob}[1]{\todo[inline]{Bob: #1}}
\begin{document}
Tides rise.\todo{Cite someone.}
\bob{Why?}
\end{document}
`
  const options = { isFlat: false, withoutComments: false, withoutNotes: true, isAnonymous: false }
  const made = await pack({ 'paper/main.tex': noted }, { options })
  assertPacked(made)
  assert.deepEqual(
    [made.verification, readText(made, 'main.tex')],
    [
      { kind: 'different', pageCounts: [1, 1], pages: [1], removed: ['notes'] },
      String.raw`\documentclass{article}
\usepackage{todonotes}
\newcommand{\bob}[1]{}
\begin{document}
Tides rise.
\end{document}
`,
    ],
  )
})

test('makePackage() removes authors and acknowledgements, and reports names that are left', async () => {
  const named = { ...paper, 'paper/sections/intro.tex': 'The sea \\cite{sea}. Alice Example writes.\n' }
  const options = { isFlat: false, withoutComments: false, withoutNotes: false, isAnonymous: true }
  const [clean, leaking] = [await pack(paper, { options }), await pack(named, { options })]
  assertPacked(clean)
  assertPacked(leaking)
  const anonymityOf = ({ findings }: Package) =>
    findings.map(({ message }) => message).filter((message) => message.includes('anonymous'))
  assert.deepEqual(
    [/Alice|alice|Bob/.test(readText(clean, 'main.tex')), clean.verification, anonymityOf(clean), anonymityOf(leaking)],
    [
      false,
      { kind: 'different', pageCounts: [1, 1], pages: [1], removed: ['authors'] },
      [],
      ['Page 1 of the anonymous document names Alice Example'],
    ],
  )
})

test('makePackage() reports places that work here and not elsewhere, with file and line', async () => {
  const made = await pack({
    'paper/main.tex': String.raw`\documentclass{article}
\usepackage{graphicx}
\begin{document}
\today, see \ref{none}.
\IfFileExists{/etc/none}{}{}
% \input{/home/alice/a}
\iffalse\input{/home/alice/b}\fi
\end{document}
`,
  })
  assertPacked(made)
  assert.deepEqual(
    made.findings
      .filter(({ level }) => level !== 'notice')
      .map(({ level, message, file, line }) => [level, message, file, line]),
    [
      ['error', "Reference `none' on page 1 undefined", 'paper/main.tex', 4],
      ['error', 'Absolute path /home/alice/b', 'paper/main.tex', 7],
      ['warning', '\\today prints the date of each build', 'paper/main.tex', 4],
    ],
  )
})

test('makePackage() reports fonts, colors and metadata of pictures at the lines that include them', async () => {
  const source = String.raw`\documentclass{article}
\usepackage{graphicx}
\graphicspath{{figures/}}
\pdfinfo{/Author (Alice Example)}
\author{Alice Example}
\begin{document}
\includegraphics[alt={A}]{plot}
% \includegraphics{color}
\includegraphics[alt={B}]{color}
\end{document}
`
  const files = {
    'paper/main.tex': source,
    'paper/figures/plot.pdf': makePlot('Bob Example'),
    'paper/figures/color.png': drawPng({ width: 2, height: 2 }, [200, 0, 0, 255]),
  }
  const options = { isFlat: true, withoutComments: false, withoutNotes: false, isAnonymous: true }
  const made = await pack(files, { target: 'journal', options })
  assertPacked(made)
  assert.deepEqual(
    made.findings
      .filter(({ file }) => file !== null)
      .map(({ level, message, file, line }) => [level, message, file, line]),
    [
      ['error', 'paper/figures/plot.pdf has fonts that are not embedded: Helvetica', 'paper/main.tex', 7],
      ['error', 'The metadata of paper/figures/plot.pdf names Bob Example', 'paper/main.tex', 7],
      ['notice', 'paper/figures/color.png has RGB colors', 'paper/main.tex', 9],
    ],
  )
  assert.deepEqual(
    [made.findings.some(({ message }) => message.includes('anonymous PDF')), /Alice/.test(readText(made, 'main.tex'))],
    [false, false],
  )
})

/** A PDF with a word in a font that it does not contain. */
function makePlot(author: string): Uint8Array {
  const content = 'BT /F1 12 Tf 5 5 Td (Tide) Tj ET'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 60 20] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Author (${author}) >>`,
  ]
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = pdf.length
    pdf += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `trailer\n<< /Size 7 /Root 1 0 R /Info 6 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(`${pdf}xref\n0 7\n0000000000 65535 f \n${rows}${trailer}`)
}

test('makePackage() reports the sizes of a small document in kilobytes', async () => {
  const made = await pack({ 'paper/main.tex': '\\documentclass{article}\\begin{document}High water.\\end{document}\n' })
  assertPacked(made)
  const sizes = made.findings.map(({ message }) => message).filter((message) => message.startsWith('PDF '))
  assert.deepEqual(
    sizes.map((message) => message.replaceAll(/[\d.]+(?= )/g, 'N').replace(/^PDF N?[\d.]*, .*?, /, '')),
    ['N kB; package N B'],
  )
})

test('makePackage() adds the sorted list of every glossary', async () => {
  const made = await pack({
    'paper/main.tex': String.raw`\documentclass{article}
\usepackage[symbols,nomain]{glossaries}
\newglossary*{names}{Names}
\makeglossaries
\newglossaryentry{h}{type=symbols,name=h,description={height}}
\newglossaryentry{bob}{type=names,name=Bob,description={sailor}}
\begin{document}
\gls{h} \gls{bob} \printglossaries
\end{document}
`,
  })
  assertPacked(made)
  assert.deepEqual(
    [made.verification, made.files],
    [{ kind: 'same', pageCount: 1 }, ['00README.json', 'main.names-gls', 'main.sls', 'main.tex']],
  )
})

test('makePackage() adds sorted glossaries whose endings the document chooses', async () => {
  const made = await pack({
    'paper/main.tex': String.raw`\documentclass{article}
\usepackage[nomain]{glossaries}
\newglossary[nlg]{notation}{not}{ntn}{Notation}
\makeglossaries
\newglossaryentry{h}{type=notation,name=h,description={height}}
\begin{document}
\gls{h} \printglossaries
\end{document}
`,
  })
  assertPacked(made)
  assert.deepEqual(
    [made.verification, made.files],
    [{ kind: 'same', pageCount: 1 }, ['00README.json', 'main.not', 'main.tex']],
  )
})

test('makePackage() puts files beside the root file that TeX finds through a latexmkrc', async () => {
  const made = await pack({
    'paper/main.tex': String.raw`\documentclass{article}
\usepackage{tides/macros,sea}
\begin{document}
\sea\macros \input{chapters/one}\input{../shared/chapters/two}
\end{document}
`,
    'paper/latexmkrc': `ensure_path('TEXINPUTS', './sty//', '../shared');`,
    'paper/sty/deep/tides/macros.sty': '\\newcommand\\macros{Macros. }',
    'paper/sty/sea.sty': '\\newcommand\\sea{Sea. }',
    'shared/chapters/one.tex': 'One, 50\\% \\typeout{../shared/chapters/on} % comment',
    'shared/chapters/two.tex': 'Two.',
  })
  assertPacked(made)
  assert.deepEqual(
    [made.verification, made.files],
    [
      { kind: 'same', pageCount: 1 },
      [
        '00README.json',
        'paper/chapters/one.tex',
        'paper/main.tex',
        'paper/sea.sty',
        'paper/tides/macros.sty',
        'shared/chapters/two.tex',
      ],
    ],
  )
})

test('makePackage() names files that it moved by their path in the project', async () => {
  const made = await pack(
    {
      'main.tex': String.raw`\documentclass{article}\begin{document}\input{one}\end{document}`,
      '.latexmkrc': `$ENV{'TEXINPUTS'} = './tex//:' . $ENV{'TEXINPUTS'};`,
      'tex/part/one.tex': 'One.\n\\today\n',
    },
    { rootFile: 'main.tex' },
  )
  assertPacked(made)
  const dated = made.findings.find(({ message }) => message.includes('today'))
  assert.deepEqual(
    [made.files, dated?.file, dated?.line],
    [['00README.json', 'main.tex', 'one.tex'], 'tex/part/one.tex', 2],
  )
})

test('makePackage() refuses a document without PDF', async () => {
  const outcome = await pack({ 'paper/main.tex': '\\documentclass{article}\\input{none}' })
  assert.deepEqual(outcome, {
    kind: 'refused',
    problem: "paper/main.tex does not build: File `none.tex' not found. Fix it first.",
  })
})

test('makePackage() adds the labels of another document that the paper refers to', async () => {
  const references = '\\usepackage{xr}\\externaldocument{supplement}\n\\begin{document}\nSee \\ref{two}.\n'
  const made = await pack(
    {
      'main.tex': `\\documentclass{article}${references}\\end{document}\n`,
      'supplement.tex':
        '\\documentclass{article}\n\\begin{document}\n\\section{One}\\section{Two}\\label{two}\n\\end{document}\n',
    },
    { rootFile: 'main.tex' },
  )
  assertPacked(made)
  assert.deepEqual(made.files, ['00README.json', 'main.tex', 'supplement.aux', 'supplement.tex'])
  assert.match(readText(made, 'supplement.aux'), /\\newlabel\{two\}\{\{2\}\{1\}/)
})
