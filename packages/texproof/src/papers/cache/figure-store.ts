/** Images of figures in repositories, drawn at the first request, each once, one at a time for each requester and owner. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { LRUCache } from 'lru-cache'

import { whenAbsent } from '../../base/absent.ts'
import { createLimiter } from '../../base/limiter.ts'
import type { HostCompiler } from '../host-compiler.ts'
import type { StoredFile } from '../types.ts'
import { writeCacheFile } from './cache-file.ts'

const SIDE_PX = 1240
/** A figure can take a minute, so that nobody may fill the queue with figures of others. */
const REQUESTER_RULE = { atOncePerKey: 1, maxWaiting: 200, maxWaitingPerKey: 20 }
const OWNER_RULE = { atOnce: 2, atOncePerKey: 1, maxWaiting: 100, maxWaitingPerKey: 20 }
/** A busy machine can be the reason of a failure. */
const FAILURE_KEPT_MS = 10 * 60_000
const MAX_FAILURES = 1_000

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
  /** Of the first page; `pageCount` null = unknown. */
  | { readonly kind: 'drawn'; readonly file: StoredFile; readonly pageCount: number | null }
  | { readonly kind: 'failed'; readonly reason: string }

export interface FigureStore {
  /** @throws TooManyWaiting */
  find(figure: WantedFigure): Promise<FoundFigure>
  /** Stops drawing. */
  close(): Promise<void>
}

/** Opens the images of figures in a folder, which may not exist yet. */
export function createFigureStore(
  rootDir: string,
  { compiler }: { readonly compiler: Pick<HostCompiler, 'opened' | 'renderFigure'> },
): FigureStore {
  const running = new Map<string, Promise<FoundFigure>>()
  const failures = new LRUCache<string, FoundFigure>({ max: MAX_FAILURES, ttl: FAILURE_KEPT_MS })
  const requesters = createLimiter(REQUESTER_RULE)
  const owners = createLimiter(OWNER_RULE)
  const stop = new AbortController()

  async function draw(path: string, { kind, read }: WantedFigure): Promise<FoundFigure> {
    stop.signal.throwIfAborted()
    const bytes = await read()
    if (bytes === null) return { kind: 'failed', reason: 'the file is too large' }
    const outcome = await compiler.renderFigure({ kind, bytes, sidePx: SIDE_PX, signal: stop.signal })
    if (outcome.kind === 'failed') return outcome
    const { png, pageCount } = outcome
    // Before the image, so that an image without it is one whose number of pages was evicted.
    if (pageCount !== null) await writeCacheFile(pageCountPath(path), Buffer.from(String(pageCount)))
    await writeCacheFile(path, Buffer.from(png))
    return { kind: 'drawn', file: { path, sizeBytes: png.byteLength }, pageCount }
  }

  async function drawInTurn(path: string, figure: WantedFigure): Promise<FoundFigure> {
    try {
      const found = await owners.run(figure.ownerId, () => draw(path, figure))
      if (found.kind === 'failed') failures.set(path, found)
      return found
    } finally {
      running.delete(path)
    }
  }

  /** The figure, if it was drawn before, or has failed before. */
  async function findKept(path: string): Promise<FoundFigure | null> {
    const failed = failures.get(path)
    if (failed !== undefined) return failed
    const found = await stat(path).catch(whenAbsent(null)) // absent: it is drawn now
    if (found === null) return null
    return { kind: 'drawn', file: { path, sizeBytes: found.size }, pageCount: await readPageCount(path) }
  }

  /** Runs in the turn of the requester, so that its waiting figures delay no others that want the same ones. */
  async function findOrDraw(path: string, figure: WantedFigure): Promise<FoundFigure> {
    const kept = await findKept(path)
    if (kept !== null) return kept
    const drawing = running.get(path) ?? drawInTurn(path, figure)
    running.set(path, drawing)
    return drawing
  }

  return {
    async find(figure) {
      const path = join(rootDir, 'figures', figure.objectId.slice(0, 2), `${figure.objectId}-${figure.kind}.png`)
      const kept = await findKept(path)
      if (kept !== null) return kept
      // Not cached, so that an installed program is used at once.
      const missing = (await compiler.opened).findMissingRenderer(figure.kind)
      if (missing !== null) return { kind: 'failed', reason: `${missing} is not installed on this server` }
      return requesters.run(figure.requesterId, () => findOrDraw(path, figure))
    },

    async close() {
      stop.abort()
      await Promise.allSettled(running.values())
    },
  }
}

function pageCountPath(path: string): string {
  return path.replace(/\.png$/, '.pages')
}

async function readPageCount(path: string): Promise<number | null> {
  const text = await readFile(pageCountPath(path), 'utf8').catch(whenAbsent(null)) // evicted before the image
  return text === null ? null : Number(text)
}
