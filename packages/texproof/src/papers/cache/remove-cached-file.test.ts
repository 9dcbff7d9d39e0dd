import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { createPdfStore } from './pdf-store.ts'
import { removeCachedFile } from './remove-cached-file.ts'

/** A store with one PDF that was last used in 2023. */
async function openOldPdf(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'texproof-pdf-'))
  context.after(() => rm(folder, { recursive: true }))
  const pdfs = createPdfStore(folder)
  const pdf = Buffer.from('%PDF-1.5')
  const pdfId = await pdfs.add(pdf)
  const path = (await pdfs.find(pdfId))?.path ?? ''
  await utimes(path, 1_700_000_000, 1_700_000_000)
  return { folder, pdfs, pdf, pdfId, path }
}

const usedBefore = 1_750_000_000_000

test('removeCachedFile() removes a file that was not used', async (context) => {
  const { folder, path } = await openOldPdf(context)
  const isGone = await removeCachedFile(path, { usedBefore })
  assert.deepEqual([isGone, (await readdir(folder, { recursive: true })).length], [true, 1])
})

test('removeCachedFile() keeps a file that was used', async (context) => {
  const { pdfs, pdfId, path } = await openOldPdf(context)
  assert.equal(await pdfs.markUsed(pdfId), true)
  assert.deepEqual([await removeCachedFile(path, { usedBefore }), (await pdfs.find(pdfId))?.sizeBytes], [false, 8])
})

test('a PDF that is added again during its eviction is there afterwards', async (context) => {
  const { pdfs, pdf, pdfId, path } = await openOldPdf(context)
  await removeCachedFile(path, { usedBefore, onAside: async () => void (await pdfs.add(pdf)) })
  assert.equal((await pdfs.find(pdfId))?.sizeBytes, 8)
})

test('a PDF that was added again before its eviction stays', async (context) => {
  const { pdfs, pdf, pdfId, path } = await openOldPdf(context)
  await pdfs.add(pdf)
  await removeCachedFile(path, { usedBefore })
  assert.equal((await pdfs.find(pdfId))?.sizeBytes, 8)
})
