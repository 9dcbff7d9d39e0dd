import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'

/** PDFs on disk under the SHA-256 of their bytes. */
export interface PdfStore {
  /** Resolves to the id of the PDF once it is written completely. */
  add(pdf: Uint8Array): Promise<string>
  find(pdfId: string): Promise<{ readonly path: string; readonly sizeBytes: number } | null>
  /** Protects a PDF from eviction before a build refers to it; false if it is absent. */
  markUsed(pdfId: string): Promise<boolean>
}

/** Path of a PDF in the store of a folder. */
export function pdfPath(rootDir: string, pdfId: string): string {
  return join(rootDir, pdfId.slice(0, 2), `${pdfId}.pdf`)
}

/** Opens the PDF store in a folder, which may not exist yet. */
export function createPdfStore(rootDir: string): PdfStore {
  const pathOf = (pdfId: string): string => pdfPath(rootDir, pdfId)
  return {
    async add(pdf) {
      const pdfId = createHash('sha256').update(pdf).digest('hex')
      await writeWhole(pathOf(pdfId), pdf)
      return pdfId
    },

    async find(pdfId) {
      if (!/^[0-9a-f]{64}$/.test(pdfId)) return null
      const path = pathOf(pdfId)
      const found = await stat(path).catch(whenAbsent(null))
      return found === null ? null : { path, sizeBytes: found.size }
    },

    markUsed: (pdfId) => markUsed(pathOf(pdfId)),
  }
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
