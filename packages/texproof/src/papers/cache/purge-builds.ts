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
  await removeFigures(cacheDir)
  return count
}

/**
 * Removes the files of all builds of a repository, except PDFs that builds of other repositories have. The rows stay until
 * the row of the repository is removed, so that this can be repeated after a crash.
 */
export async function removeBuildFiles(
  repositoryId: number,
  {
    store,
    cacheDir,
    copies,
  }: { readonly store: Store; readonly cacheDir: string; readonly copies: BucketCopies | null },
): Promise<void> {
  const cache = createBuildCache(join(cacheDir, 'builds'), copies)
  const isPdfUsed = (pdfId: string): Promise<boolean> => store.builds.isPdfUsed(pdfId, { exceptOf: repositoryId })
  const place = { store: { builds: { isPdfUsed } }, cacheDir, copies }
  for (const id of await store.builds.listIds(repositoryId)) await cache.removePassLogs(id)
  for (const pdfId of await store.builds.listPdfIds(repositoryId))
    await removePdf(pdfId, place, { usedBefore: Infinity })
  await cache.removeOfRepository(repositoryId)
  await removeFigures(cacheDir)
}

/** Their names contain blob ids, and the blobs may be removed; all others are drawn again. */
function removeFigures(cacheDir: string): Promise<void> {
  return rm(join(cacheDir, 'pictures/figures'), { recursive: true, force: true })
}
