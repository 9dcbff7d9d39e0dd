/** Images of figures in repositories, drawn at the first request. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import type { HostCompiler } from '../host-compiler.ts'
import type { StoredFile } from '../types.ts'
import { writeCacheFile } from './cache-file.ts'
import { createImageQueue } from './image-queue.ts'

const SIDE_PX = 1240
/** Limits per requesting user: a figure can take a minute, and no user may fill the queue of another owner. */
const REQUESTER_RULE = { atOncePerKey: 1, maxWaiting: 200, maxWaitingPerKey: 20 }
const OWNER_RULE = { atOnce: 2, atOncePerKey: 1, maxWaiting: 100, maxWaitingPerKey: 20 }

export type FigureKind = 'eps' | 'tiff' | 'pdf'

/** A figure in a repository. */
export interface WantedFigure {
  /** Id of its blob. */
  readonly objectId: string
  readonly kind: FigureKind
  /** User id of the owner of the repository, for fairness. */
  readonly ownerId: string
  /** The user or network that requests it, for fairness. */
  readonly requesterId: string
  /** Called if it was not drawn before; null = too large. */
  readonly read: () => Promise<Uint8Array | null>
}

/** The image, or why there is none, as a part of a sentence. */
export type FoundFigure =
  /** The image of the first page; `pageCount` null = unknown. */
  | { readonly kind: 'drawn'; readonly file: StoredFile; readonly pageCount: number | null }
  | { readonly kind: 'failed'; readonly reason: string }

export interface FigureStore {
  /**
   * @throws TooManyWaiting
   * @throws ClientDisconnected
   */
  find(figure: WantedFigure): Promise<FoundFigure>
  /** Stops drawing. */
  close(): Promise<void>
}

/** Opens the images of figures in a folder, which may not exist yet. */
export function createFigureStore(
  rootDir: string,
  { compiler }: { readonly compiler: Pick<HostCompiler, 'opened' | 'renderFigure'> },
): FigureStore {
  const queue = createImageQueue<FoundFigure>({ requester: REQUESTER_RULE, owner: OWNER_RULE })

  async function draw(path: string, { kind, read }: WantedFigure, signal: AbortSignal): Promise<FoundFigure> {
    signal.throwIfAborted()
    const bytes = await read()
    if (bytes === null) return { kind: 'failed', reason: 'the file is too large' }
    const outcome = await compiler.renderFigure({ kind, bytes, sidePx: SIDE_PX, signal })
    if (outcome.kind === 'failed') return outcome
    const { png, pageCount } = outcome
    // Before the image, so that an image without it is one whose number of pages was evicted.
    if (pageCount !== null) await writeCacheFile(pageCountPath(path), Buffer.from(String(pageCount)))
    await writeCacheFile(path, Buffer.from(png))
    return { kind: 'drawn', file: { path, sizeBytes: png.byteLength }, pageCount }
  }

  async function findStored(path: string): Promise<FoundFigure | null> {
    const found = await stat(path).catch(whenAbsent(null)) // absent: it is drawn now
    if (found === null) return null
    return { kind: 'drawn', file: { path, sizeBytes: found.size }, pageCount: await readPageCount(path) }
  }

  return {
    async find(figure) {
      const { objectId, kind, ownerId, requesterId } = figure
      const path = join(rootDir, 'figures', objectId.slice(0, 2), `${objectId}-${kind}.png`)
      const image = {
        path,
        ownerId,
        requesterId,
        findStored: () => findStored(path),
        draw: (signal: AbortSignal) => draw(path, figure, signal),
      }
      const kept = await queue.findKept(image)
      if (kept !== null) return kept
      // Not cached, so that an installed program is used at once.
      const missing = (await compiler.opened).findMissingRenderer(kind)
      if (missing !== null) return { kind: 'failed', reason: `${missing} is not installed on this server` }
      return queue.find(image)
    },

    close: () => queue.close(),
  }
}

function pageCountPath(path: string): string {
  return path.replace(/\.png$/, '.pages')
}

async function readPageCount(path: string): Promise<number | null> {
  const text = await readFile(pageCountPath(path), 'utf8').catch(whenAbsent(null)) // evicted before the image
  return text === null ? null : Number(text)
}
