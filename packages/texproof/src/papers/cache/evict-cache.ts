/**
 * Keeps the cache of built things below a size. Everything in it can be made again, so what was read longest ago goes
 * first; but never the PDFs at permanent addresses that somebody may open any moment: those of tags, and the newest good
 * one of every document of every branch.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import type { Builds } from '../../store/builds/builds.ts'
import { removeCachedFile } from './remove-cached-file.ts'

/** Cleared down to this share, so that the next build does not start it again. */
const CLEARED_SHARE = 0.9

/** What was used more recently stays: a build that has just added its PDF does not refer to it yet. */
const FRESH_MS = 60_000

/** A draft that nobody has written to for so long was left behind by a process that died. */
const ABANDONED_AFTER_MS = 3_600_000

/** What a round came to. */
export interface Eviction {
  readonly removedCount: number
  readonly removedBytes: number
  /** What is left. */
  readonly keptBytes: number
}

/** A file that can be made again. */
export interface CachedFile {
  readonly path: string
  readonly sizeBytes: number
  /** When it was last read or written, epoch milliseconds, as exact as the file system notes it. */
  readonly usedAt: number
}

/** Removes files of the cache until it is small enough; nothing where it is. */
export async function evictCache(
  folders: readonly string[],
  { builds, maxBytes }: { readonly builds: Pick<Builds, 'listKeptPdfIds'>; readonly maxBytes: number },
): Promise<Eviction> {
  const files = (await Promise.all(folders.map(listCachedFiles))).flat()
  let keptBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const removed = { removedCount: 0, removedBytes: 0 }
  if (keptBytes <= maxBytes) return { ...removed, keptBytes }
  const kept = await builds.listKeptPdfIds()
  for (const { path, sizeBytes } of files.toSorted((left, right) => left.usedAt - right.usedAt)) {
    if (keptBytes <= maxBytes * CLEARED_SHARE) break
    const pdfId = /([0-9a-f]{64})\.pdf$/.exec(path)?.[1]
    if (pdfId !== undefined && kept.has(pdfId)) continue
    // A file that is being sent stays readable for the process that has it open.
    if (!(await removeCachedFile(path, { usedBefore: Date.now() - FRESH_MS }))) continue
    keptBytes -= sizeBytes
    removed.removedCount += 1
    removed.removedBytes += sizeBytes
  }
  return { ...removed, keptBytes }
}

/** Removes drafts that a crash left behind; says how many. */
export async function removeAbandonedDrafts(folders: readonly string[]): Promise<number> {
  const before = Date.now() - ABANDONED_AFTER_MS
  const drafts = (
    await Promise.all(folders.map((folder) => listFiles(folder, (name) => name.endsWith('.part'))))
  ).flat()
  const abandoned = drafts.filter(({ usedAt }) => usedAt < before)
  for (const { path } of abandoned) await rm(path, { force: true })
  return abandoned.length
}

/** Every whole file below a folder; none of a folder that is not there. */
export function listCachedFiles(folder: string): Promise<readonly CachedFile[]> {
  // A draft belongs to the process that writes it.
  return listFiles(folder, (name) => !name.endsWith('.part'))
}

async function listFiles(folder: string, isWanted: (name: string) => boolean): Promise<readonly CachedFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(whenAbsent([])) // absent: nothing in it
  const files: CachedFile[] = []
  for (const entry of entries) {
    if (!entry.isFile() || !isWanted(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const found = await stat(path).catch(whenAbsent(null)) // gone meanwhile
    if (found !== null) files.push({ path, sizeBytes: found.size, usedAt: Math.max(found.atimeMs, found.mtimeMs) })
  }
  return files
}
