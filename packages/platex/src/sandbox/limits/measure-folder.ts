import { lstatSync, readdirSync } from 'node:fs'
import type { Stats } from 'node:fs'

export interface FolderSize {
  /** Files and folders. */
  readonly entries: number
  /** Space really taken on disk, not the length that a sparse file claims. */
  readonly bytes: number
  /** True when a folder could not be looked into: closed by the document, or nested beyond `maxDepth`. */
  readonly isOpaque: boolean
}

export interface MeasureLimits {
  readonly maxEntries: number
  readonly maxDepth: number
}

/**
 * Measures folders while a document may be writing to them; stops soon after `maxEntries`.
 *
 * Synchronous on purpose: the folders have just been written, so their entries are in the kernel's cache, and the
 * dozen files of an ordinary compile take less time than the promises for them would.
 */
export function measureFolders(folders: readonly string[], limits: MeasureLimits): FolderSize {
  let entries = 0
  let bytes = 0
  let isOpaque = false
  const pending = folders.map((folder) => ({ path: Buffer.from(folder), depth: 0 }))
  for (let next = pending.pop(); next !== undefined && entries <= limits.maxEntries; next = pending.pop()) {
    const names = next.depth > limits.maxDepth ? null : namesIn(next.path)
    isOpaque ||= names === null
    // A folder may hold a million names: they are counted no further than the answer needs.
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

/** A folder that may be read but not entered gives names and nothing behind them. */
function look(path: Buffer): Stats | 'gone' | 'closed' {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? 'gone'
  } catch {
    return 'closed' // The document removed its permission.
  }
}

/** Names in a folder, as bytes because a document need not write UTF-8; null when it is closed, [] when it is gone. */
function namesIn(folder: Buffer): readonly Buffer[] | null {
  try {
    return readdirSync(folder, { encoding: 'buffer' })
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? [] : null
  }
}
