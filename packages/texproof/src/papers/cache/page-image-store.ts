/** Images of PDF pages, rendered at the first request, each once, a few at a time. */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { ProjectCompiler } from '@texproof/platex/project'

import { whenAbsent } from '../../base/absent.ts'
import { createLimiter, TooManyWaiting } from '../../base/limiter.ts'
import type { PdfStore } from './pdf-store.ts'
import type { StoredFile } from '../types.ts'

/** Widths of page images in pixels: a card at double density, and a readable page. */
export const pictureWidths = [440, 1240] as const

/** Images rendered at once; further requests wait. */
const CONCURRENCY = 2
/** Requests that may wait: beyond this, the reader has left before the image is ready. */
const MAX_WAITING = 100

export interface PictureStore {
  /** Null if there is no such page, no poppler, or too much load. */
  find(pdfId: string, picture: { readonly page: number; readonly widthPx: number }): Promise<StoredFile | null>
  /** Stops rendering. */
  close(): Promise<void>
}

/** Opens the page images in a folder, which may not exist yet. */
export function createPictureStore(
  rootDir: string,
  { pdfs, compiler }: { readonly pdfs: PdfStore; readonly compiler: Pick<ProjectCompiler, 'renderPage'> },
): PictureStore {
  const underWay = new Map<string, Promise<StoredFile | null>>()
  const limiter = createLimiter({ atOnce: CONCURRENCY, maxWaiting: MAX_WAITING })
  const stop = new AbortController()

  async function inTurn<Result>(draw: () => Promise<Result>): Promise<Result | null> {
    try {
      return await limiter.run('', async () => (stop.signal.aborted ? null : await draw()))
    } catch (error) {
      if (error instanceof TooManyWaiting) return null
      throw error
    }
  }

  async function draw(pdfId: string, path: string, page: number, widthPx: number): Promise<StoredFile | null> {
    const file = await pdfs.find(pdfId)
    if (file === null) return null
    const png = await inTurn(async () =>
      compiler.renderPage({ pdf: await readFile(file.path), page, widthPx, signal: stop.signal }),
    )
    if (png === null) return null
    await mkdir(dirname(path), { recursive: true })
    const draft = `${path}.${randomUUID()}.part`
    try {
      await writeFile(draft, png, { flag: 'wx' })
      await rename(draft, path)
    } finally {
      await rm(draft, { force: true })
    }
    return { path, sizeBytes: png.byteLength }
  }

  return {
    async find(pdfId, { page, widthPx }) {
      if (!/^[0-9a-f]{64}$/.test(pdfId) || !pictureWidths.some((width) => width === widthPx)) return null
      const path = join(rootDir, pdfId.slice(0, 2), `${pdfId}-${page}-${widthPx}.png`)
      // Absent: it is rendered now.
      const found = await stat(path).catch(whenAbsent(null))
      if (found !== null) return { path, sizeBytes: found.size }
      const drawing = underWay.get(path) ?? draw(pdfId, path, page, widthPx).finally(() => underWay.delete(path))
      underWay.set(path, drawing)
      return drawing
    },

    async close() {
      stop.abort()
      await Promise.allSettled(underWay.values())
    },
  }
}
