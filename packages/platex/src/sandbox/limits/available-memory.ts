/**
 * Memory that this process and its programs may use: the memory of the machine, or the limit of their control groups.
 *
 * Node.js reads the limit of its own group only. The limit of a unit or a container belongs to a group above, once this
 * process has moved itself down to divide it.
 */

import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { CGROUP_ROOT, ownCgroup } from './own-cgroup.ts'

/** Memory of a control group in bytes; `Infinity` without a limit. */
export interface GroupMemory {
  readonly totalBytes: number
  readonly freeBytes: number
}

/** Memory in bytes that this process and its programs may use, used or not. */
export function availableMemoryBytes(): number {
  const limit = process.constrainedMemory()
  return Math.min(limit > 0 ? limit : Infinity, groupMemory().totalBytes, totalmem())
}

/** Memory in bytes that is still free for this process and its programs. */
export function freeMemoryBytes(): number {
  return Math.min(process.availableMemory(), groupMemory().freeBytes)
}

/** The strictest limits of the group `own` below `root` and of all groups above it. `own` null = cgroup v1. */
export function groupMemory(
  root: string = CGROUP_ROOT,
  own: string | null = ownCgroup(readOrEmpty('/proc/self/cgroup')),
): GroupMemory {
  let [totalBytes, freeBytes] = [Infinity, Infinity]
  for (let group = own; group !== null; group = group === '/' ? null : dirname(group)) {
    const dir = join(root, group)
    const limit = Math.min(readBytes(dir, 'memory.max') ?? Infinity, readBytes(dir, 'memory.high') ?? Infinity)
    totalBytes = Math.min(totalBytes, limit)
    freeBytes = Math.min(freeBytes, Math.max(0, limit - (readBytes(dir, 'memory.current') ?? 0)))
  }
  return { totalBytes, freeBytes }
}

/** Null if the file does not exist or contains `max`. */
function readBytes(dir: string, name: string): number | null {
  const text = readOrEmpty(join(dir, name)).trim()
  return /^\d+$/.test(text) ? Number(text) : null
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return '' // The root group has no limits; on cgroup v1, and on other systems, there are no such files.
  }
}
