import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import { makeFolderDurably, syncFolder } from '../../base/durable-file.ts'

/** PDFs on disk under the SHA-256 of their bytes. */
export interface PdfStore {
  /** Resolves to the PDF's id once it lies on disk whole. */
  add(pdf: Uint8Array): Promise<string>
  find(pdfId: string): Promise<{ readonly path: string; readonly sizeBytes: number } | null>
  /** Keeps a PDF from being evicted before a build refers to it; false when it is not there. */
  markUsed(pdfId: string): Promise<boolean>
}

/** Where a PDF lies in the store of a folder. */
export function pdfPath(rootDir: string, pdfId: string): string {
  return join(rootDir, pdfId.slice(0, 2), `${pdfId}.pdf`)
}

/** Opens the PDF store in a folder that need not exist. */
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

/** Synced before it gets its name: after a power cut a PDF is there whole or not at all. */
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

/** What was used a moment ago is not evicted, see `evict-cache.ts`. */
async function markUsed(path: string): Promise<boolean> {
  const now = new Date()
  return (await utimes(path, now, now).catch(whenAbsent(null))) !== null
}
