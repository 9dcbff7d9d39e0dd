import { setImmediate } from 'node:timers/promises'

import { LRUCache } from 'lru-cache'

import type { Build } from '../domain/build.ts'
import { createSynctexReader } from '../domain/synctex/create-synctex-reader.ts'
import type { SynctexIndex } from '../domain/synctex/types.ts'
import type { BuildCache } from './build-cache.ts'

/** SyncTeX of builds, read and ready to be asked. */
export interface SynctexIndexes {
  /** null when the cache has lost it. */
  find(build: Build): Promise<SynctexIndex | null>
}

const MAX_CACHED_BYTES = 96 * 1024 * 1024
const BYTES_PER_RECORD = 36
/** Read at a stretch; others are served in between. */
const PIECE_BYTES = 128 * 1024
/** A longer one is not read to its end. */
const MAX_BYTES = 256 * 1024 * 1024

/** Reads each once and keeps it while it is asked for. */
export function createSynctexIndexes(cache: Pick<BuildCache, 'findSynctex'>): SynctexIndexes {
  const indexes = new LRUCache<string, SynctexIndex>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ boxes, marks }) => 1024 + (boxes.count + marks.count) * BYTES_PER_RECORD,
  })
  const readings = new Map<string, Promise<SynctexIndex | null>>()
  /** One is read at a time: whoever asks for many large ones waits for themselves. */
  let lastReading: Promise<unknown> = Promise.resolve()

  async function read(key: string, build: Build): Promise<SynctexIndex | null> {
    const bytes = await cache.findSynctex(build)
    const index = bytes === null ? null : await readIndex(bytes)
    if (index !== null) indexes.set(key, index)
    return index
  }

  return {
    async find(build) {
      const key = [build.repositoryId, build.treeId, build.rootFile, build.engine].join('\0')
      const known = indexes.get(key) ?? readings.get(key)
      if (known !== undefined) return known
      const reading = lastReading.then(() => read(key, build)).finally(() => readings.delete(key))
      readings.set(key, reading)
      lastReading = reading.catch(() => null)
      return reading
    },
  }
}

async function readIndex(bytes: Uint8Array): Promise<SynctexIndex> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, MAX_BYTES))
  const reader = createSynctexReader()
  for (let at = 0; at < text.length; at += PIECE_BYTES) {
    reader.push(text.toString('latin1', at, at + PIECE_BYTES))
    await setImmediate()
  }
  return reader.finish()
}
