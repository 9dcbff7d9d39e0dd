import type { Parsers, TaskOutcome } from '../../base/open-parsers.ts'
import { createOutcomeCache } from '../../base/outcome-cache.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Build } from '../../domain/build.ts'
import type { PagePlace, SourceLine, SynctexIndex } from '../../domain/synctex/types.ts'
import type { BuildCache } from './build-cache.ts'
import type { indexSynctex, locatePage, locateSource, readSynctexIndex } from './read-synctex-index.ts'

/** The SyncTeX data of one build. Lookups also return null on a timeout. */
export interface SynctexLookup {
  /** Files that the build read: relative to the project, or absolute for files of TeX. */
  readonly inputs: readonly string[]
  /** `sources` = normalized paths of the files to consider. */
  findSourceLine(
    point: { readonly page: number; readonly x: number; readonly y: number },
    sources: ReadonlySet<string>,
  ): Promise<SourceLine | null>
  /** `source.path` must be one of `inputs`. */
  findPagePlace(source: SourceLine): Promise<PagePlace | null>
}

/** SyncTeX of builds. */
export interface SynctexIndexes {
  /** Null if it is not in the cache or cannot be read. */
  find(build: Build, options: { readonly ownerId: string }): Promise<SynctexLookup | null>
  /** Indexes uncompressed data in memory. `key` identifies the data. */
  index(bytes: Uint8Array, options: { readonly key: string; readonly ownerId: string }): Promise<SynctexLookup | null>
}

const MODULE = import.meta.resolve('./read-synctex-index.ts')
const READ = defineTask<typeof readSynctexIndex>(MODULE, 'readSynctexIndex')
const INDEX = defineTask<typeof indexSynctex>(MODULE, 'indexSynctex')
const LOCATE_SOURCE = defineTask<typeof locateSource>(MODULE, 'locateSource')
const LOCATE_PAGE = defineTask<typeof locatePage>(MODULE, 'locatePage')

const MAX_CACHED_BYTES = 96 * 1024 * 1024
const BYTES_PER_RECORD = 36
/** A book of a thousand pages takes two seconds. */
const READ_LIMIT_MS = 10_000

/** Reads each index in a worker thread and caches it while it is used. Its records are in memory that threads share. */
export function createSynctexIndexes({
  cache,
  parsers,
}: {
  readonly cache: Pick<BuildCache, 'findSynctex'>
  readonly parsers: Parsers
}): SynctexIndexes {
  const indexes = createOutcomeCache<SynctexIndex | null>({
    maxSize: MAX_CACHED_BYTES,
    sizeOf: (index) => 1024 + ((index?.boxes.count ?? 0) + (index?.marks.count ?? 0)) * BYTES_PER_RECORD,
  })

  function lookUp(read: TaskOutcome<SynctexIndex | null>, ownerId: string): SynctexLookup | null {
    const index = valueOf(read)
    if (index === null) return null
    return {
      inputs: [...index.inputs.values()],
      findSourceLine: async (point, sources) =>
        valueOf(await parsers.run(LOCATE_SOURCE, { index, point, sources }, { ownerId })),
      findPagePlace: async (source) => valueOf(await parsers.run(LOCATE_PAGE, { index, source }, { ownerId })),
    }
  }

  return {
    async index(bytes, { key, ownerId }) {
      const options = { ownerId, timeLimitMs: READ_LIMIT_MS }
      return lookUp(await indexes.find(key, () => parsers.run(INDEX, bytes, options)), ownerId)
    },
    async find(build, { ownerId }) {
      const path = await cache.findSynctex(build)
      if (path === null) return null
      const read = await indexes.find(path, () => parsers.run(READ, path, { ownerId, timeLimitMs: READ_LIMIT_MS }))
      return lookUp(read, ownerId)
    },
  }
}

function valueOf<Value>(outcome: TaskOutcome<Value | null>): Value | null {
  return outcome.kind === 'done' ? outcome.value : null
}
