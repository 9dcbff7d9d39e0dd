/** Pictures that engines cannot read, converted by real Ghostscript and rsvg-convert. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openProjectCompiler, type CompileOutcome, type ProjectCompiler } from '../../src/api/project.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { ProjectEngine } from '../../src/base/types.ts'
import { solidPng } from '../hostile/solid-png.ts'
import { bytesOf } from '../support/documents.ts'

const EPS = `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 100 50
newpath 10 10 moveto 90 40 lineto stroke
showpage
%%EOF
`
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>'
const { has } = await openSandbox('auto')

let compiler: ProjectCompiler

before(async () => {
  compiler = await openProjectCompiler({ sandbox: 'auto' })
})
after(() => compiler.close())

function compile(
  files: Readonly<Record<string, string>>,
  engine: ProjectEngine = 'pdflatex',
  tenant?: string,
): Promise<CompileOutcome> {
  const given = new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)] as const))
  return compiler.compile({ rootFile: 'main.tex', files: given, engine, tenant, timeoutMs: 60_000 })
}

const including = (command: string, preamble = '\\usepackage{graphicx}') =>
  `\\documentclass{article}${preamble}\n\\begin{document}\nWords.\n\n${command}\n\\end{document}\n`

describe('a picture', { skip: has('gs') ? false : 'Ghostscript is not installed' }, () => {
  for (const engine of ['pdflatex', 'lualatex', 'xelatex'] as const) {
    test(`in EPS is drawn by ${engine}, without a warning`, async () => {
      const source = including('\\includegraphics{plot} \\includegraphics{figures/my plot.eps}')
      const picture = EPS.replace('90 40', '90 41')
      const files = { 'main.tex': source, 'plot.eps': EPS, 'figures/my plot.eps': picture }
      const { result, inputs } = await compile(files, engine)
      assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
      assert.deepEqual(inputs, ['figures/my plot.eps', 'main.tex', 'plot.eps'])
    })

    test(`in EPS that cannot be converted is an error on its line under ${engine}`, async () => {
      const files = {
        'main.tex': including('\\includegraphics{broken.eps}'),
        'broken.eps': `${EPS.slice(0, 60)}\nnonsense\n`,
      }
      const { result } = await compile(files, engine)
      assert.deepEqual(
        result.errors
          .filter(({ message }) => message.startsWith('broken.eps could not be converted to PDF: Ghostscript (gs) '))
          .map(({ file, line }) => [file, line]),
        [['main.tex', 5]],
      )
    })
  }

  test('has no error where a package loads graphics at the beginning of the document', async () => {
    const { result } = await compile({ 'main.tex': including('', '\\AtBeginDocument{\\RequirePackage{graphicx}}') })
    assert.deepEqual([result.errors, result.pages], [[], 1])
  })

  test('in EPS is converted once for all compiles of a tenant with the same bytes', async () => {
    const files = { 'main.tex': including('\\includegraphics{again.eps}'), 'again.eps': `${EPS}% ${randomUUID()}\n` }
    const passes = []
    for (const tenant of ['alice', 'alice', 'bob', undefined, undefined])
      passes.push((await compile(files, 'pdflatex', tenant)).result.logs.map(({ reason }) => reason))
    const converted = ['first pass', 'pictures were converted: again.eps']
    assert.deepEqual(passes, [converted, ['first pass'], converted, converted, converted])
  })

  test('in EPS cannot read files of the host or of other compiles while it is converted', async () => {
    const reading = `(/etc/passwd) (r) file 100 string readline pop show\n(/compile/../etc/passwd) run\n`
    const files = {
      'main.tex': including('\\includegraphics{spy.eps}'),
      'spy.eps': EPS.replace('showpage', `${reading}showpage`),
    }
    const { result } = await compile(files)
    assert.match(
      result.errors[0]?.message ?? '',
      /^spy\.eps could not be converted to PDF: .*(?:invalidfileaccess|undefinedfilename)/,
    )
  })

  test('in EPS gets the text of psfrag in DVI, which other engines cannot give it', async () => {
    const files = {
      'main.tex': including('\\psfrag{height}{h}\\includegraphics{plot}', '\\usepackage{graphicx,psfrag}'),
      'plot.eps': EPS,
    }
    const [dvi, pdf] = [await compile(files, 'latex'), await compile(files, 'pdflatex')]
    const warnings = [dvi, pdf].map(({ result }) => result.warnings.map(({ message }) => message))
    assert.deepEqual(warnings, [
      [],
      [
        'psfrag cannot replace text in pictures with pdflatex: they keep their own text. ' +
          'In a project, % !TEX program = latex selects an engine that can.',
      ],
    ])
    assert.deepEqual([dvi.result.errors, dvi.result.pages, dvi.inputs], [[], 1, ['main.tex', 'plot.eps']])
  })

  test('that dvips does not find is an error beside a PDF', async () => {
    const { result } = await compile({ 'main.tex': including('\\special{psfile=gone.eps}') }, 'latex')
    assert.deepEqual(
      [result.errors.map(({ message }) => message), result.pages],
      [['dvips: Could not find figure file gone.eps; continuing.'], 1],
    )
  })

  test('in SVG whose folder for the PDF is a file of the project is an error of the document', async (t) => {
    if (!has('rsvg-convert')) return t.skip('rsvg-convert is not installed')
    const source = including('\\includesvg{box}', '\\usepackage{svg}')
    const { result } = await compile({ 'main.tex': source, 'box.svg': SVG, 'svg-inkscape': '' })
    assert.deepEqual([...new Set(result.errors.map(({ file, line }) => `${file}:${line}`))], ['main.tex:5'])
  })

  test('in SVG is drawn through the svg package', async (t) => {
    if (!has('rsvg-convert')) return t.skip('rsvg-convert is not installed')
    const source = including('\\includesvg[width=3cm]{figures/box}', '\\usepackage{svg}')
    const { result, inputs } = await compile({ 'main.tex': source, 'figures/box.svg': SVG })
    assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
    assert.deepEqual(inputs, ['figures/box.svg', 'main.tex'])
  })
})

describe('A picture in SVG', () => {
  for (const [options, width] of [
    ['width=3cm', '85.4'],
    ['', '30.1'],
    ['scale=2', '60.2'],
  ] as const)
    test(`has the size of \\includesvg[${options}]`, async (t) => {
      if (!has('rsvg-convert')) return t.skip('rsvg-convert is not installed')
      const measured = `\\sbox0{\\includesvg[${options}]{box}}\\typeout{Width: \\the\\wd0.}\\usebox0`
      const { result } = await compile({ 'main.tex': including(measured, '\\usepackage{svg}'), 'box.svg': SVG })
      const found = /Width: ([\d.]+)pt/.exec(result.logs.at(-1)?.log ?? '')?.[1]
      assert.deepEqual([result.errors, Number(found).toFixed(1)], [[], width])
    })
})

test('Japanese TeX reads the size of a PNG without a shell', async (t) => {
  if (!has('uplatex') || !has('dvipdfmx')) return t.skip('upLaTeX is not installed')
  const source = '\\documentclass[uplatex,dvipdfmx]{jsarticle}\\usepackage{graphicx}\n\\begin{document}\n'
  const text = new Map([
    ['main.tex', bytesOf(`${source}\\includegraphics{figures/dot}\n\\end{document}\n`)],
    ['figures/dot.png', solidPng(8, 8)],
  ])
  const { result } = await compiler.compile({
    rootFile: 'main.tex',
    files: text,
    engine: 'uplatex',
    timeoutMs: 60_000,
  })
  assert.deepEqual([result.errors, result.warnings, result.pages], [[], [], 1])
  assert.deepEqual(
    result.logs.map(({ reason }) => reason),
    ['first pass', 'pictures were measured: figures/dot.png'],
  )
})
