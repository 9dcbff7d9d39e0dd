import { listCachedFiles } from './evict-cache.ts'

/** Walking a large cache takes a second. */
const KEPT_MS = 60_000

/** Creates a function that measures what builds have stored on disk, in bytes. Results are cached for a minute. */
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
