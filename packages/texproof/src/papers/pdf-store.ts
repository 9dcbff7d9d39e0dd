import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** PDFs on disk under the SHA-256 of their bytes. */
export interface PdfStore {
  /** Resolves to the PDF's id once it lies on disk whole. */
  add(pdf: Uint8Array): Promise<string>
  find(pdfId: string): Promise<{ readonly path: string; readonly sizeBytes: number } | null>
}

/** Opens the PDF store in a folder that need not exist. */
export function createPdfStore(rootDir: string): PdfStore {
  const pathOf = (pdfId: string): string => join(rootDir, pdfId.slice(0, 2), `${pdfId}.pdf`)
  return {
    async add(pdf) {
      const pdfId = createHash('sha256').update(pdf).digest('hex')
      await writeWhole(pathOf(pdfId), pdf)
      return pdfId
    },

    async find(pdfId) {
      if (!/^[0-9a-f]{64}$/.test(pdfId)) return null
      const path = pathOf(pdfId)
      const found = await stat(path).catch(ignoreMissing)
      return found === null ? null : { path, sizeBytes: found.size }
    },
  }
}

/** Synced before it gets its name: after a power cut a PDF is there whole or not at all. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  if ((await stat(path).catch(ignoreMissing)) !== null) return
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.part`
  try {
    const file = await open(draft, 'wx')
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
