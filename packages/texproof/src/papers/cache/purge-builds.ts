import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Store } from '../../store/store.ts'
import type { BucketCopies } from './bucket-copies.ts'
import { createBuildCache } from './build-cache.ts'
import { removePdf } from './remove-old-builds.ts'

/** Removes the builds of unreachable commits, with their logs, PDFs and page images; returns their number. */
export async function purgeBuilds(
  repositoryId: number,
  {
    store,
    cacheDir,
    copies,
    commitIds,
  }: {
    readonly store: Store
    readonly cacheDir: string
    readonly copies: BucketCopies | null
    readonly commitIds: readonly string[]
  },
): Promise<number> {
  const cache = createBuildCache(join(cacheDir, 'builds'), copies)
  let count = 0
  for (const commitId of commitIds) {
    const removed = await store.builds.removeOfCommit(repositoryId, commitId)
    for (const { id, pdfId } of removed) {
      await cache.removePassLogs(id)
      if (pdfId !== null) await removePdf(pdfId, { store, cacheDir, copies }, { usedBefore: Infinity })
    }
    count += removed.length
  }
  await cache.removeOfRepository(repositoryId)
  // Their names are those of blobs, which may be purged; all others are drawn again.
  await rm(join(cacheDir, 'pictures/figures'), { recursive: true, force: true })
  return count
}
