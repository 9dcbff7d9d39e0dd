/**
 * Limits the size of the build cache. Every file in it can be recreated, so the least recently used files are removed
 * first. PDFs at permanent addresses are never removed unless a bucket has them: the PDFs of tags, and the newest good one
 * of every document of every branch.
 */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'
import type { Builds } from '../../store/builds/builds.ts'
import type { BucketCopies } from './bucket-copies.ts'
import { removeCachedFile } from './remove-cached-file.ts'

/** Share of the limit to clear to, so that the next build does not start another eviction. */
const CLEARED_SHARE = 0.9

/** Files used more recently are kept: a build that has just added its PDF does not refer to it yet. */
const FRESH_MS = 60_000

/** A draft that was not written to for this long was left by a process that crashed. */
const ABANDONED_AFTER_MS = 3_600_000

/** The result of one eviction. */
export interface Eviction {
  readonly removedCount: number
  readonly removedBytes: number
  /** Bytes that remain. */
  readonly keptBytes: number
}

/** A file that can be recreated. */
export interface CachedFile {
  readonly path: string
  readonly sizeBytes: number
  /** When the file was last read or written, in epoch milliseconds, with the precision of the file system. */
  readonly usedAt: number
}

/** Removes files from the cache until it is small enough. */
export async function evictCache(
  folders: readonly string[],
  {
    builds,
    maxBytes,
    copies = null,
    freshMs = FRESH_MS,
  }: {
    readonly builds: Pick<Builds, 'listKeptPdfIds'>
    readonly maxBytes: number
    /** @default null, no bucket */
    readonly copies?: Pick<BucketCopies, 'isSafe'> | null
    readonly freshMs?: number
  },
): Promise<Eviction> {
  const files = (await Promise.all(folders.map(listCachedFiles))).flat()
  let keptBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const removed = { removedCount: 0, removedBytes: 0 }
  if (keptBytes <= maxBytes) return { ...removed, keptBytes }
  const kept = await builds.listKeptPdfIds()
  for (const { path, sizeBytes } of files.toSorted((left, right) => left.usedAt - right.usedAt)) {
    if (keptBytes <= maxBytes * CLEARED_SHARE) break
    const pdfId = /([0-9a-f]{64})\.pdf$/.exec(path)?.[1]
    if (pdfId !== undefined && kept.has(pdfId) && !(copies !== null && (await copies.isSafe(path)))) continue
    // A file that is being sent stays readable for the process that has it open.
    if (!(await removeCachedFile(path, { usedBefore: Date.now() - freshMs }))) continue
    keptBytes -= sizeBytes
    removed.removedCount += 1
    removed.removedBytes += sizeBytes
  }
  return { ...removed, keptBytes }
}

/** Removes drafts that a crash left behind, older than `before` (epoch milliseconds); returns their number. */
export async function removeAbandonedDrafts(
  folders: readonly string[],
  { before = Date.now() - ABANDONED_AFTER_MS }: { readonly before?: number } = {},
): Promise<number> {
  const drafts = (
    await Promise.all(folders.map((folder) => listFiles(folder, (name) => name.endsWith('.part'))))
  ).flat()
  const abandoned = drafts.filter(({ usedAt }) => usedAt < before)
  for (const { path } of abandoned) await rm(path, { force: true })
  return abandoned.length
}

/** Lists the complete files in a folder; empty if the folder does not exist. */
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
    const found = await stat(path).catch(whenAbsent(null)) // removed in the meantime
    if (found !== null) files.push({ path, sizeBytes: found.size, usedAt: Math.max(found.atimeMs, found.mtimeMs) })
  }
  return files
}
