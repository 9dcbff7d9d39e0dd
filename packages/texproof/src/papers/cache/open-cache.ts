/** Everything that builds store on disk, and the timers that keep it small. */
import { join } from 'node:path'

import type { Logger } from 'pino'

import type { Parsers } from '../../base/open-parsers.ts'
import { openBucket } from '../../bucket/open-bucket.ts'
import type { Config } from '../../config/read-config.ts'
import type { Store } from '../../store/store.ts'
import type { HostCompiler } from '../host-compiler.ts'
import { openBucketCopies } from './bucket-copies.ts'
import { createBuildCache, type BuildCache } from './build-cache.ts'
import { evictCache, listCachedFiles } from './evict-cache.ts'
import { createFigureStore, type FigureStore } from './figure-store.ts'
import { createPictureStore, type PictureStore } from './page-image-store.ts'
import { createPdfStore, type PdfStore } from './pdf-store.ts'
import { removeBuildFiles } from './purge-builds.ts'
import { removeOldBuilds } from './remove-old-builds.ts'
import { createSynctexIndexes, type SynctexIndexes } from './synctex-indexes.ts'

/** How often the size of the cache is checked. */
const EVICT_EVERY_MS = 10 * 60_000
/** How often old builds are removed; for the first time an hour after the start. */
const RETIRE_EVERY_MS = 3_600_000
/** Walking a large cache takes a second. */
const MEASURED_EVERY_MS = 60_000

export interface CacheDeps {
  readonly config: Pick<Config, 'bucket' | 'maxCacheBytes' | 'retention'>
  readonly log: Logger
  readonly parsers: Parsers
  readonly store: Store
  readonly compiler: Pick<HostCompiler, 'opened' | 'renderFigure' | 'renderPage'>
}

export interface OpenCache {
  readonly pdfs: PdfStore
  readonly pictures: PictureStore
  readonly figures: FigureStore
  readonly cache: BuildCache
  readonly synctexes: SynctexIndexes
  /** Folders that are limited and measured. */
  readonly folders: readonly string[]
  /** Bytes on disk. */
  readonly measure: () => Promise<number>
  /** Removes the files of all builds of a repository. */
  readonly removeOfRepository: (repositoryId: number) => Promise<void>
  close(): Promise<void>
}

/** Opens the stores of a cache folder. `isServer`: it runs the tasks of the bucket, too. */
export function openCache(
  cacheDir: string,
  { config, log, parsers, store, compiler }: CacheDeps,
  { isServer }: { readonly isServer: boolean },
): OpenCache {
  const copies =
    config.bucket === null
      ? null
      : openBucketCopies(cacheDir, { bucket: openBucket(config.bucket), log, runsTasks: isServer })
  const pdfs = createPdfStore(join(cacheDir, 'pdf'), copies)
  const pictures = createPictureStore(join(cacheDir, 'pictures'), { pdfs, compiler })
  const figures = createFigureStore(join(cacheDir, 'pictures'), { compiler })
  const cache = createBuildCache(join(cacheDir, 'builds'), copies)
  const folders = ['pdf', 'pictures', 'builds'].map((name) => join(cacheDir, name))

  const eviction = setInterval(() => void evict(), EVICT_EVERY_MS).unref()
  const retirement = setInterval(() => void retire(), RETIRE_EVERY_MS).unref()

  async function evict(): Promise<void> {
    try {
      const outcome = await store.runExclusively('cache', () =>
        evictCache(folders, { builds: store.builds, maxBytes: config.maxCacheBytes, copies }),
      )
      if (outcome !== null && outcome.removedCount > 0) log.info({ component: 'cache', ...outcome }, 'evicted')
    } catch (error) {
      log.warn({ err: error }, 'evict cache')
    }
  }

  async function retire(): Promise<void> {
    try {
      const now = await store.retentionClock.now()
      const outcome = await store.runExclusively('cache', () =>
        removeOldBuilds({ config, store, cache, cacheDir, copies }, { now }),
      )
      if (outcome !== null && outcome.builds + outcome.files + outcome.drafts > 0)
        log.info({ component: 'cache', ...outcome }, 'removed old builds')
    } catch (error) {
      log.warn({ err: error }, 'remove old builds')
    }
  }

  return {
    pdfs,
    pictures,
    figures,
    cache,
    synctexes: createSynctexIndexes({ cache, parsers }),
    folders,
    measure: createCacheMeasure(folders),
    removeOfRepository: (repositoryId) => removeBuildFiles(repositoryId, { store, cacheDir, copies }),
    async close() {
      clearInterval(eviction)
      clearInterval(retirement)
      await Promise.all([pictures.close(), figures.close()])
      await copies?.close()
    },
  }
}

/** Creates a function that measures what builds have stored on disk, in bytes. Results are cached for a minute. */
function createCacheMeasure(folders: readonly string[]): () => Promise<number> {
  let kept: { readonly bytes: Promise<number>; readonly at: number } | null = null
  return () => {
    if (kept === null || performance.now() - kept.at > MEASURED_EVERY_MS)
      kept = { bytes: measureFolders(folders), at: performance.now() }
    return kept.bytes
  }
}

async function measureFolders(folders: readonly string[]): Promise<number> {
  const files = (await Promise.all(folders.map(listCachedFiles))).flat()
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
