import { lchownSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { COMPILE_LIMITS } from './limits/limits.ts'

/** Owner of confined processes and their workspaces if the service runs as root. */
export interface UnprivilegedOwner {
  readonly uid: number
  readonly gid: number
}

/**
 * An id without an account: Debian reserves 65000–65533, and user namespaces that map 65536 ids include it. `nobody` is
 * unsuitable, because other services run as it and the kernel counts processes per user.
 */
const UNPRIVILEGED_ID = 65_533

/**
 * Chooses the user of confined programs: null = the current user.
 *
 * The kernel does not limit the number of processes of uid 0, so programs of documents never run as root.
 */
export function chooseOwner(): UnprivilegedOwner | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null
}

/** So many entries take about a millisecond. */
const ENTRIES_AT_ONCE = 256

/**
 * Changes the owner of a folder and all our files in it to the unprivileged user; links are not followed.
 *
 * Files created by a document already belong to it, so names that are not UTF-8, entries that vanish and folders nested
 * deeper than ours are skipped. Synchronous in small parts: this happens right before a program continues, and promises
 * take many times as long.
 */
export async function chownTree(path: string, owner: UnprivilegedOwner): Promise<void> {
  const entries = [{ path: Buffer.from(path), depth: 0 }]
  let count = 0
  for (let entry = entries.pop(); entry !== undefined; entry = entries.pop()) {
    const { path: folder, depth } = entry
    const names = ownEntry(folder, owner, depth)
    for (const name of names) entries.push({ path: Buffer.concat([folder, SLASH, name]), depth: depth + 1 })
    count += 1
    if (count % ENTRIES_AT_ONCE === 0) await setImmediate()
  }
}

const SLASH = Buffer.from('/')

/** Gives one entry away, and returns the names in it. */
function ownEntry(path: Buffer, owner: UnprivilegedOwner, depth: number): readonly Buffer[] {
  const found = statOrNull(path)
  if (found === null) return []
  if (found.uid !== owner.uid) lchownSync(path, owner.uid, owner.gid)
  return found.isDirectory() && depth <= COMPILE_LIMITS.folderDepth ? readdirSync(path, { encoding: 'buffer' }) : []
}

function statOrNull(path: Buffer): Stats | null {
  try {
    return lstatSync(path)
  } catch {
    return null // It was removed in the meantime.
  }
}
