/** Images of PDF pages, drawn at the first request. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import type { HostCompiler } from '../host-compiler.ts'
import type { StoredFile } from '../types.ts'
import { writeCacheFile } from './cache-file.ts'
import { createImageQueue } from './image-queue.ts'
import type { PdfStore } from './pdf-store.ts'

/** Widths of page images in pixels: a card at double density, and a readable page. */
export const pictureWidths = [440, 1240] as const

/** A list shows papers of several owners: a slow one does not delay the others. */
const REQUESTER_RULE = { atOncePerKey: 4, maxWaiting: 1_000, maxWaitingPerKey: 100 }
const OWNER_RULE = { atOnce: 2, atOncePerKey: 1, maxWaiting: 200, maxWaitingPerKey: 40 }

/** A page of a PDF as an image. */
export interface WantedPicture {
  readonly pdfId: string
  /** 1 = the first. */
  readonly page: number
  /** One of `pictureWidths`. */
  readonly widthPx: number
  /** User id of the owner of the repository, for fairness. */
  readonly ownerId: string
  /** The user or network that requests it, for fairness. */
  readonly requesterId: string
}

export interface PictureStore {
  /**
   * Null if there is no such page or no poppler, or the page cannot be drawn.
   *
   * @throws TooManyWaiting
   * @throws ClientDisconnected
   */
  find(picture: WantedPicture): Promise<StoredFile | null>
  /** Stops drawing. */
  close(): Promise<void>
}

type FoundPicture = { readonly kind: 'drawn'; readonly file: StoredFile } | { readonly kind: 'failed' }

/** Opens the page images in a folder, which may not exist yet. */
export function createPictureStore(
  rootDir: string,
  { pdfs, compiler }: { readonly pdfs: PdfStore; readonly compiler: Pick<HostCompiler, 'opened' | 'renderPage'> },
): PictureStore {
  const queue = createImageQueue<FoundPicture>({ requester: REQUESTER_RULE, owner: OWNER_RULE })

  async function draw(
    path: string,
    page: { readonly pdfPath: string; readonly page: number; readonly widthPx: number },
    signal: AbortSignal,
  ): Promise<FoundPicture> {
    if (signal.aborted) return { kind: 'failed' }
    const png = await compiler.renderPage({ ...page, pdf: await readFile(page.pdfPath), signal })
    if (png === null) return { kind: 'failed' }
    await writeCacheFile(path, Buffer.from(png))
    return { kind: 'drawn', file: { path, sizeBytes: png.byteLength } }
  }

  return {
    async find({ pdfId, page, widthPx, ownerId, requesterId }) {
      if (!/^[0-9a-f]{64}$/.test(pdfId) || !pictureWidths.some((width) => width === widthPx)) return null
      const path = join(rootDir, pdfId.slice(0, 2), `${pdfId}-${page}-${widthPx}.png`)
      const findStored = async (): Promise<FoundPicture | null> => {
        const found = await stat(path).catch(whenAbsent(null)) // absent: it is drawn now
        return found === null ? null : { kind: 'drawn', file: { path, sizeBytes: found.size } }
      }
      const found = (await queue.findKept({ path, findStored })) ?? (await findNew())
      return found?.kind === 'drawn' ? found.file : null

      async function findNew(): Promise<FoundPicture | null> {
        // Not cached, so that an installed program is used at once.
        if ((await compiler.opened).findMissingRenderer('pdf') !== null) return null
        const pdf = await pdfs.find(pdfId)
        if (pdf === null) return null
        return queue.find({
          path,
          ownerId,
          requesterId,
          findStored,
          draw: (signal) => draw(path, { pdfPath: pdf.path, page, widthPx }, signal),
        })
      }
    },

    close: () => queue.close(),
  }
}
