import { lchown, lstat, readdir } from 'node:fs/promises'
import { COMPILE_LIMITS } from './limits/limits.ts'

/** Who owns confined processes and their workspaces when the service itself runs as root. */
export interface UnprivilegedOwner {
  readonly uid: number
  readonly gid: number
}

/**
 * An id without an account: Debian reserves 65000–65533, and user namespaces that map 65536 ids still hold it.
 * `nobody` will not do, because other services run as it and the kernel counts processes per user.
 */
const UNPRIVILEGED_ID = 65_533

/**
 * Tells whom to run confined programs as: null = as ourselves.
 *
 * The kernel does not limit the number of processes of uid 0, so nothing of a document ever runs as root.
 */
export function chooseOwner(): UnprivilegedOwner | null {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : null
}

/**
 * Gives a folder and everything of ours in it to the unprivileged owner; links are not followed.
 *
 * What a document made is the owner's already, so names that are no UTF-8, entries that vanish and folders nested
 * beyond any of ours are passed by.
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
