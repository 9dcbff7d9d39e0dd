/**
 * Removes old build data: builds that finished long ago with their logs and PDFs, files of builds that were not used
 * for a long time, and drafts that a crash left behind. The newest build and the newest PDF of every branch and tag
 * stay.
 */
import { readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import type { Config } from '../../config/read-config.ts'
import type { Builds } from '../../store/builds/builds.ts'
import type { BucketCopies } from './bucket-copies.ts'
import type { BuildCache } from './build-cache.ts'
import { listCachedFiles, removeAbandonedDrafts } from './evict-cache.ts'
import { removeCachedFile } from './remove-cached-file.ts'
import { pdfPath } from './pdf-store.ts'

/** The numbers of removed items. */
export interface Retirement {
  readonly builds: number
  readonly files: number
  readonly drafts: number
}

export interface RetirementDeps {
  readonly config: Pick<Config, 'retention'>
  readonly store: { readonly builds: Pick<Builds, 'isPdfUsed' | 'listRepositoriesWithOld' | 'removeOld'> }
  readonly cache: Pick<BuildCache, 'removePassLogs'>
  /** Contains the folders `pdf`, `pictures` and `builds`. */
  readonly cacheDir: string
  /** Null without a bucket. */
  readonly copies: BucketCopies | null
}

/**
 * Removes old builds according to the retention settings, in small steps that do not block other work. `now` is in epoch
 * milliseconds.
 */
export async function removeOldBuilds(
  deps: RetirementDeps,
  { now = Date.now() }: { readonly now?: number } = {},
): Promise<Retirement> {
  const { buildsMs, logsMs } = deps.config.retention
  const before = now - buildsMs
  let builds = 0
  for (const repositoryId of await deps.store.builds.listRepositoriesWithOld({ before })) {
    for (let step = await removeStep(repositoryId); step > 0; step = await removeStep(repositoryId)) builds += step
  }
  const folders = ['pdf', 'pictures', 'builds'].map((name) => join(deps.cacheDir, name))
  const usedBefore = now - logsMs
  const unused = (await listCachedFiles(join(deps.cacheDir, 'builds'))).filter(({ usedAt }) => usedAt < usedBefore)
  for (const { path } of unused) await removeCachedFile(path, { usedBefore })
  return { builds, files: unused.length, drafts: await removeAbandonedDrafts(folders) }

  async function removeStep(repositoryId: number): Promise<number> {
    const removed = await deps.store.builds.removeOld(repositoryId, { before })
    for (const { id, pdfId } of removed) {
      await deps.cache.removePassLogs(id)
      if (pdfId !== null) await removePdf(pdfId, deps)
    }
    return removed.length
  }
}

interface RemovedPdfPlace {
  readonly store: { readonly builds: Pick<Builds, 'isPdfUsed'> }
  readonly cacheDir: string
  readonly copies: BucketCopies | null
}

/** Removes a PDF that no build refers to, and the images of its pages. */
export async function removePdf(
  pdfId: string,
  { store, cacheDir, copies }: RemovedPdfPlace,
  // A running build may have added it within this minute.
  { usedBefore = Date.now() - 60_000 }: { readonly usedBefore?: number } = {},
): Promise<void> {
  if (await store.builds.isPdfUsed(pdfId)) return
  const path = pdfPath(join(cacheDir, 'pdf'), pdfId)
  if (!(await removeCachedFile(path, { usedBefore }))) return
  await copies?.remove(path)
  const pictures = dirname(pdfPath(join(cacheDir, 'pictures'), pdfId))
  const names = await readdir(pictures).catch(whenAbsent([])) // absent: no page was rendered
  for (const name of names) if (name.startsWith(`${pdfId}-`)) await rm(join(pictures, name), { force: true })
}
