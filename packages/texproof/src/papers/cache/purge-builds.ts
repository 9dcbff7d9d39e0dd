import { join } from 'node:path'

import type { Store } from '../../store/store.ts'
import { createBuildCache } from './build-cache.ts'
import { removePdf } from './remove-old-builds.ts'

/** Removes the builds of unreachable commits, with their logs, PDFs and page images; returns their number. */
export async function purgeBuilds(
  repositoryId: number,
  {
    store,
    cacheDir,
    commitIds,
  }: { readonly store: Store; readonly cacheDir: string; readonly commitIds: readonly string[] },
): Promise<number> {
  const cache = createBuildCache(join(cacheDir, 'builds'))
  let count = 0
  for (const commitId of commitIds) {
    const removed = await store.builds.removeOfCommit(repositoryId, commitId)
    for (const { id, pdfId } of removed) {
      await cache.removePassLogs(id)
      if (pdfId !== null) await removePdf(pdfId, { store, cacheDir }, { usedBefore: Infinity })
    }
    count += removed.length
  }
  await cache.removeOfRepository(repositoryId)
  return count
}
