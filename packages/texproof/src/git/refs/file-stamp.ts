import { statSync } from 'node:fs'

/** Distinguishes states of a file or folder without reading it. */
export interface Stamp {
  readonly inode: number
  readonly size: number
  /** Milliseconds with a fraction: the full precision of the file system, to a quarter of a microsecond. */
  readonly modifiedAtMs: number
  readonly changedAtMs: number
}

/** The current stamp of a path; null if it does not exist. */
export function takeStamp(path: string): Stamp | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return null
  return { inode: stats.ino, size: stats.size, modifiedAtMs: stats.mtimeMs, changedAtMs: stats.ctimeMs }
}

/** Whether two stamps are of the same state. */
export function isSameStamp(left: Stamp | null, right: Stamp | null): boolean {
  if (left === null || right === null) return left === right
  return (
    left.inode === right.inode &&
    left.size === right.size &&
    left.modifiedAtMs === right.modifiedAtMs &&
    left.changedAtMs === right.changedAtMs
  )
}

/**
 * Whether a stamp is too young to be reliable: a second change within the same tick of the file system's clock does not
 * change it. Two seconds cover every file system in use.
 */
export function isYoung(stamp: Stamp | null, now: number): boolean {
  return stamp !== null && now - stamp.modifiedAtMs < youngMs
}

const youngMs = 2_000
