import { lchown, lstat, readdir } from 'node:fs/promises'
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

/**
 * Changes the owner of a folder and all our files in it to the unprivileged user; links are not followed.
 *
 * Files created by a document already belong to it, so names that are not UTF-8, entries that vanish and folders nested
 * deeper than ours are skipped.
 */
export async function chownTree(path: string, owner: UnprivilegedOwner): Promise<void> {
  await ownEntry(Buffer.from(path), owner, 0)
}

async function ownEntry(path: Buffer, owner: UnprivilegedOwner, depth: number): Promise<void> {
  const found = await lstat(path).catch(() => null) // Removed meanwhile.
  if (found === null) return
  if (found.uid !== owner.uid) await lchown(path, owner.uid, owner.gid)
  if (!found.isDirectory() || depth > COMPILE_LIMITS.folderDepth) return
  for (const name of await readdir(path, { encoding: 'buffer' })) {
    await ownEntry(Buffer.concat([path, Buffer.from('/'), name]), owner, depth + 1)
  }
}
