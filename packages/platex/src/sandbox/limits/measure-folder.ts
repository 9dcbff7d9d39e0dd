import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'

export interface FolderSize {
  /** Files and folders. */
  readonly entries: number
  /** Disk usage, not the length of a sparse file. */
  readonly bytes: number
  /** True if a folder could not be read: made inaccessible by the document, or nested beyond `maxDepth`. */
  readonly isOpaque: boolean
}

export interface MeasureLimits {
  readonly maxEntries: number
  readonly maxDepth: number
}

/**
 * Measures folders while a document may be writing to them; stops soon after `maxEntries`.
 *
 * Synchronous on purpose: the folders were just written, so their entries are in the kernel's cache, and reading the
 * dozen files of an ordinary compile takes less time than promises would.
 */
export function measureFolders(folders: readonly string[], limits: MeasureLimits): FolderSize {
  let entries = 0
  let bytes = 0
  let isOpaque = false
  const pending = folders.map((folder) => ({ path: Buffer.from(folder), depth: 0 }))
  for (let next = pending.pop(); next !== undefined && entries <= limits.maxEntries; next = pending.pop()) {
    const names = next.depth > limits.maxDepth ? null : namesIn(next.path)
    isOpaque ||= names === null
    // A folder may contain a million names: they are counted only as far as needed.
    for (const name of names?.slice(0, limits.maxEntries + 1 - entries) ?? []) {
      const path = Buffer.concat([next.path, Buffer.from('/'), name])
      const found = look(path)
      isOpaque ||= found === 'closed'
      if (found === 'gone' || found === 'closed') continue
      entries += 1
      bytes += found.blocks * 512
      if (found.isDirectory()) pending.push({ path, depth: next.depth + 1 })
    }
  }
  return { entries, bytes, isOpaque }
}

/** A folder that is readable but not searchable yields names only. */
function look(path: Buffer): Stats | 'gone' | 'closed' {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? 'gone'
  } catch {
    return 'closed' // The document removed its permission.
  }
}

/** Names in a folder, as bytes because they need not be UTF-8; null if it is inaccessible, [] if it is missing. */
function namesIn(folder: Buffer): readonly Buffer[] | null {
  try {
    return readdirSync(folder, { encoding: 'buffer' })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null
  }
}
