import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'
import type { BucketCopies } from './bucket-copies.ts'

/** PDFs on disk under the SHA-256 of their bytes. */
export interface PdfStore {
  /** Resolves to the id of the PDF once it is written completely. */
  add(pdf: Uint8Array): Promise<string>
  /** Fetched from the bucket if necessary. @throws BucketUnavailable */
  find(pdfId: string): Promise<{ readonly path: string; readonly sizeBytes: number } | null>
  /** Whether the PDF is stored, on disk or in the bucket. */
  has(pdfId: string): Promise<boolean>
  /** Size in bytes; 0 if it is not stored. @throws BucketUnavailable */
  measure(pdfId: string): Promise<number>
  /** Protects a PDF from eviction before a build refers to it; false if it is absent. */
  markUsed(pdfId: string): Promise<boolean>
}

/** Path of a PDF in the store of a folder. */
export function pdfPath(rootDir: string, pdfId: string): string {
  return join(rootDir, pdfId.slice(0, 2), `${pdfId}.pdf`)
}

/** Opens the PDF store in a folder, which may not exist yet. With `copies`, a bucket keeps every PDF too. */
export function createPdfStore(rootDir: string, copies: BucketCopies | null = null): PdfStore {
  const pathOf = (pdfId: string): string => pdfPath(rootDir, pdfId)
  const measureFile = async (path: string): Promise<number | null> =>
    (await stat(path).catch(whenAbsent(null)))?.size ?? null
  return {
    async add(pdf) {
      const pdfId = createHash('sha256').update(pdf).digest('hex')
      const path = pathOf(pdfId)
      await writeWhole(path, pdf)
      await copies?.save(path)
      return pdfId
    },

    async find(pdfId) {
      if (!isPdfId(pdfId)) return null
      const path = pathOf(pdfId)
      const found = await measureFile(path)
      if (found !== null) return { path, sizeBytes: found }
      if (copies === null || !(await copies.fetch(path))) return null
      const sizeBytes = await measureFile(path)
      return sizeBytes === null ? null : { path, sizeBytes }
    },

    async has(pdfId) {
      if (!isPdfId(pdfId)) return false
      const path = pathOf(pdfId)
      return (await measureFile(path)) !== null || (copies !== null && (await copies.has(path)))
    },

    async measure(pdfId) {
      if (!isPdfId(pdfId)) return 0
      const path = pathOf(pdfId)
      return (await measureFile(path)) ?? (await copies?.measure(path)) ?? 0
    },

    async markUsed(pdfId) {
      const path = pathOf(pdfId)
      return (await markUsed(path)) || (copies !== null && (await copies.has(path)))
    },
  }
}

function isPdfId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Synced before it is renamed: after a power failure, a PDF is complete or absent. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  if (await markUsed(path)) return
  await makeFolderDurably(dirname(path))
  const draft = `${path}.${randomUUID()}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
    await syncFolder(dirname(path))
  } finally {
    await rm(draft, { force: true })
  }
}

/** Recently used files are not evicted, see `evict-cache.ts`. */
async function markUsed(path: string): Promise<boolean> {
  const now = new Date()
  return (await utimes(path, now, now).catch(whenAbsent(null))) !== null
}
