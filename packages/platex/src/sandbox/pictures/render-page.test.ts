import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'

import { openProjectCompiler } from '../../api/project.ts'
import type { ProjectCompiler } from '../../api/project.ts'

let cacheDir: string
let compiler: ProjectCompiler
let pdf: Uint8Array

before(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'platex-pictures-'))
  compiler = await openProjectCompiler({ sandbox: 'auto', cacheDir })
  const source = '\\documentclass[a4paper]{article}\\begin{document}Tides\\newpage Ebb\\end{document}'
  const files = new Map([['main.tex', Buffer.from(source)]])
  const { result } = await compiler.compile({ rootFile: 'main.tex', files, engine: 'pdflatex', timeoutMs: 60_000 })
  pdf = result.pdf ?? new Uint8Array()
})
after(async () => {
  await compiler.close()
  await rm(cacheDir, { recursive: true, force: true })
})

/** Width and height in the header of a PNG. */
function sizeOf(png: Uint8Array | null): readonly [number, number] | null {
  if (png === null || Buffer.from(png.subarray(1, 4)).toString() !== 'PNG') return null
  const view = Buffer.from(png)
  return [view.readUInt32BE(16), view.readUInt32BE(20)]
}

test('renderPage() draws a page in the requested width', async () => {
  assert.deepEqual(sizeOf(await compiler.renderPage({ pdf, page: 2, widthPx: 200 })), [200, 283])
})

test('renderPage() returns null for a page that does not exist', async () => {
  assert.equal(await compiler.renderPage({ pdf, page: 3, widthPx: 200 }), null)
})

test('renderPage() returns null for bytes that are not a PDF', async () => {
  assert.equal(await compiler.renderPage({ pdf: Buffer.from('%PDF-1.7 tides'), page: 1, widthPx: 200 }), null)
})

test('renderPage() returns a complete picture or none, whenever it is interrupted', async () => {
  for (let timeoutMs = 100; timeoutMs <= 800; timeoutMs += 100) {
    const png = await compiler.renderPage({ pdf, page: 1, widthPx: 6_000, timeoutMs })
    if (png !== null) assert.equal(Buffer.from(png.subarray(-8, -4)).toString(), 'IEND')
  }
})

test('describePdf() returns version, page sizes, texts and fonts', async () => {
  const { version, pages, fonts, images } = await compiler.describePdf(pdf)
  assert.deepEqual(
    [version, pages.map(({ widthPt, heightPt, text }) => [widthPt, heightPt, text.trim()]), fonts, images],
    [
      '1.5',
      [
        [595.276, 841.89, 'Tides\n\n1'],
        [595.276, 841.89, 'Ebb\n\n2'],
      ],
      [{ name: 'CMR10', type: 'Type 1', isEmbedded: true }],
      [],
    ],
  )
})

test('describePdf() describes a damaged PDF as empty', async () => {
  assert.deepEqual(await compiler.describePdf(Buffer.from('%PDF-1.5\n')), {
    author: null,
    version: null,
    pages: [],
    fonts: [],
    images: [],
  })
})
