import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openProjectCompiler } from '../../api/project.ts'
import type { FigureKind, ProjectCompiler } from '../../api/project.ts'
import { findMissingRenderer } from './render-figure.ts'

let cacheDir: string
let compiler: ProjectCompiler

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'platex-figures-'))
  compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
})
after(async () => {
  await compiler.close()
  await rm(cacheDir, { recursive: true, force: true })
})

/** Width and height of the image and the number of pages, or the reason of a failure. */
async function render(kind: FigureKind, bytes: Uint8Array): Promise<unknown> {
  const outcome = await compiler.renderFigure({ kind, bytes, sidePx: 300 })
  if (outcome.kind === 'failed') return outcome.reason
  const png = Buffer.from(outcome.png)
  return [png.readUInt32BE(16), png.readUInt32BE(20), outcome.pageCount]
}

const eps = (commands: string): Uint8Array =>
  Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 50\n${commands}\nshowpage\n`)

/** A gray image without compression. */
function tiff(width: number, height: number): Uint8Array {
  const entries = [
    [256, 4, width],
    [257, 4, height],
    [258, 3, 8],
    [259, 3, 1],
    [262, 3, 1],
    [273, 4, 8],
    [277, 3, 1],
    [278, 4, height],
    [279, 4, width * height],
  ] as const
  const header = Buffer.alloc(8)
  header.write('II*\0', 'latin1')
  header.writeUInt32LE(8 + width * height, 4)
  const folder = Buffer.alloc(2 + entries.length * 12 + 4)
  folder.writeUInt16LE(entries.length, 0)
  for (const [index, [tag, type, value]] of entries.entries()) {
    const at = 2 + index * 12
    folder.writeUInt16LE(tag, at)
    folder.writeUInt16LE(type, at + 2)
    folder.writeUInt32LE(1, at + 4)
    folder.writeUInt32LE(value, at + 8)
  }
  return Buffer.concat([header, Buffer.alloc(width * height, 128), folder])
}

/** A PDF of these objects, from number 2, the pages; readers rebuild the missing table of objects. */
function makeRawPdf(objects: readonly (string | Buffer)[]): Buffer {
  const numbered = ['<</Type /Catalog /Pages 2 0 R>>', ...objects].flatMap((object, index) => [
    Buffer.from(`${index + 1} 0 obj `),
    Buffer.from(object),
    Buffer.from(' endobj\n'),
  ])
  const trailer = `trailer <</Root 1 0 R /Size ${objects.length + 2}>>\n`
  return Buffer.concat([Buffer.from('%PDF-1.5\n'), ...numbered, Buffer.from(trailer)])
}

function stream(content: string, entries = ''): string {
  return `<<${entries} /Length ${content.length}>> stream\n${content}\nendstream`
}

/** Forms that draw the next one ten times: 10^12 lines, which no machine draws within a time limit. */
function makeNestedForms(firstNumber: number): string[] {
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 40 20]'
  const levels = Array.from({ length: 12 }, (_, level) =>
    stream('/Next Do '.repeat(10), `${form} /Resources <</XObject <</Next ${firstNumber + level + 1} 0 R>>>>`),
  )
  return [...levels, stream('0 0 m 40 20 l S', form)]
}

async function makePdf(): Promise<Uint8Array> {
  const source = '\\documentclass[a4paper]{article}\\begin{document}Tides\\newpage Ebb\\end{document}'
  const files = new Map([['main.tex', Buffer.from(source)]])
  const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 60_000 })
  return result.pdf ?? new Uint8Array()
}

test('renderFigure() renders the first page of a PDF and counts its pages', async () => {
  assert.deepEqual(await render('pdf', await makePdf()), [213, 300, 2])
})

test('renderFigure() renders the bounding box of an EPS figure', async () => {
  assert.deepEqual(await render('eps', eps('10 10 moveto 90 40 lineto stroke')), [300, 150, 1])
})

test('renderFigure() renders a TIFF figure', async (t) => {
  if (compiler.findMissingRenderer('tiff') !== null) return t.skip('requires libtiff-tools')
  assert.deepEqual(await render('tiff', tiff(20, 40)), [150, 300, 1])
})

test('renderFigure() explains a file that is not a PDF', async () => {
  assert.equal(await render('pdf', Buffer.from('tides')), 'it is not a PDF')
})

test('renderFigure() explains a damaged PDF', async () => {
  assert.equal(
    await render('pdf', Buffer.from('%PDF-1.5\n')),
    "pdftoppm failed (exit code 1): Syntax Error: Couldn't find trailer dictionary",
  )
})

test('renderFigure() explains a PDF that requires a password', async () => {
  const key = `/Filter /Standard /V 1 /R 2 /P -4 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}>`
  const pdf = makeRawPdf(['<</Type /Pages /Kids [] /Count 0>>', `<<${key}>>`])
  const locked = pdf.toString('latin1').replace('<</Root', `<</Encrypt 3 0 R /ID [<00> <00>] /Root`)
  assert.equal(await render('pdf', Buffer.from(locked, 'latin1')), 'the PDF is protected by a password')
})

test('renderFigure() explains an error of PostScript', async () => {
  assert.equal(await render('eps', eps('tides')), 'Ghostscript (gs) failed (exit code 1): Error: /undefined in tides')
})

test('renderFigure() ends figures whose drawing never ends at the time limit', async () => {
  const page = '/Kids [3 0 R] /Count 1 /MediaBox [0 0 40 20]'
  const bomb = makeRawPdf([
    `<</Type /Pages ${page}>>`,
    '<</Type /Page /Parent 2 0 R /Contents 4 0 R /Resources <</XObject <</Next 5 0 R>>>>>>',
    stream('/Next Do'),
    ...makeNestedForms(5),
  ])
  const endless = [
    ['eps', eps('{ } loop')],
    ['eps', eps('{ 0 0 moveto 9 9 lineto stroke showpage } loop')],
    ['pdf', bomb],
  ] as const
  const reasons: string[] = []
  for (const [kind, bytes] of endless) {
    const outcome = await compiler.renderFigure({ kind, bytes, sidePx: 300, timeoutMs: 2_000 })
    reasons.push(outcome.kind === 'failed' ? outcome.reason : outcome.kind)
  }
  assert.deepEqual(reasons, [
    'Ghostscript (gs) exceeded the time limit. Simplify the picture',
    'Ghostscript (gs) exceeded the time limit. Simplify the picture',
    'pdftoppm exceeded the time limit. Simplify the picture',
  ])
})

test('renderFigure() ends a figure that prints without end at the output limit', async () => {
  assert.equal(
    await render('eps', eps('{ (tides\n) print } loop')),
    'Ghostscript (gs) exceeded the output limit. Simplify the picture',
  )
})

test('renderFigure() bounds images of huge pages, and draws one of 10,000 pages', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, index) => `${index + 3} 0 R`)
  const many = makeRawPdf([
    `<</Type /Pages /Kids [${numbers.join(' ')}] /Count 10000 /MediaBox [0 0 40 20]>>`,
    ...numbers.map(() => '<</Type /Page /Parent 2 0 R>>'),
  ])
  const wide = makeRawPdf([
    '<</Type /Pages /Kids [3 0 R] /Count 1 /MediaBox [0 0 100000000 50000000]>>',
    '<</Type /Page /Parent 2 0 R>>',
  ])
  const loop = makeRawPdf(['<</Type /Pages /Kids [2 0 R] /Count 10>>'])
  assert.deepEqual(
    [await render('pdf', many), await render('pdf', wide), await render('pdf', loop)],
    [[300, 150, 10_000], [300, 150, 1], 'pdftoppm failed (exit code 1): Syntax Error: Loop in Pages tree'],
  )
})

test('renderFigure() does not let PostScript read files of the host', async () => {
  assert.match(String(await render('eps', eps('(/etc/passwd) (r) file pop'))), /invalidfileaccess/)
})

test('findMissingRenderer() names the first program that is not installed', () => {
  const installed = new Set(['pdftoppm', 'gs'])
  const has = (program: string): boolean => installed.has(program)
  assert.deepEqual(
    [
      findMissingRenderer('pdf', { has: () => false }),
      findMissingRenderer('pdf', { has }),
      findMissingRenderer('eps', { has }),
      findMissingRenderer('tiff', { has }),
    ],
    ['pdftoppm (poppler-utils)', null, null, 'tiff2pdf (libtiff-tools)'],
  )
})
