import { createSynctexReader } from '../../domain/synctex/create-synctex-reader.ts'
import { findPagePlace } from '../../domain/synctex/find-page-place.ts'
import { findSourceLine } from '../../domain/synctex/find-source-line.ts'
import { normalizeInputPath } from '../../domain/synctex/normalize-input-path.ts'
import type { PagePlace, SourceLine, SynctexIndex } from '../../domain/synctex/types.ts'
import { readCacheFile } from './cache-file.ts'

/** A longer index is not read. */
const MAX_BYTES = 256 * 1024 * 1024
const PIECE_BYTES = 128 * 1024

/** Reads the SyncTeX data of a build from a file of the cache; null if it is absent. Runs in a worker thread. */
export async function readSynctexIndex(path: string): Promise<SynctexIndex | null> {
  const bytes = await readCacheFile(path, { maxBytes: MAX_BYTES })
  return bytes instanceof Uint8Array ? indexSynctex(bytes) : null
}

/** Indexes uncompressed SyncTeX data. Runs in a worker thread. */
export function indexSynctex(bytes: Uint8Array): SynctexIndex {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const reader = createSynctexReader()
  for (let at = 0; at < text.length; at += PIECE_BYTES) reader.push(text.toString('latin1', at, at + PIECE_BYTES))
  return reader.finish()
}

/** A point of a page, and the files to consider. */
export interface SourceQuery {
  readonly index: SynctexIndex
  readonly point: { readonly page: number; readonly x: number; readonly y: number }
  /** Normalized paths. */
  readonly sources: ReadonlySet<string>
}

/** Finds the source line of a point. Runs in a worker thread: an index has up to 1.5 million records. */
export function locateSource({ index, point, sources }: SourceQuery): SourceLine | null {
  return findSourceLine(index, point, (path) => sources.has(normalizeInputPath(path)))
}

/** A source line, with its file as the index spells it. */
export interface PageQuery {
  readonly index: SynctexIndex
  readonly source: SourceLine
}

/** Finds the place of a source line in the PDF. Runs in a worker thread. */
export function locatePage({ index, source }: PageQuery): PagePlace | null {
  return findPagePlace(index, source)
}
