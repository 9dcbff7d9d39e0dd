import { listCachedFiles } from './evict-cache.ts'

/** A walk over the cache is a second's work where it is full. */
const KEPT_MS = 60_000

/** Makes the measure of what builds have left on disk, in bytes; asked again within a minute it answers the same. */
export function createCacheMeasure(folders: readonly string[]): () => Promise<number> {
  let kept: { readonly bytes: Promise<number>; readonly at: number } | null = null
  return () => {
    if (kept === null || performance.now() - kept.at > KEPT_MS)
      kept = { bytes: measureFolders(folders), at: performance.now() }
    return kept.bytes
  }
}

async function measureFolders(folders: readonly string[]): Promise<number> {
  const files = (await Promise.all(folders.map(listCachedFiles))).flat()
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
