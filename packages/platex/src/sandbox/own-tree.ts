import { lchown, lstat, readdir } from 'node:fs/promises'
import { COMPILE_LIMITS } from './limits/limits.ts'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'

/**
 * Gives a folder and everything of ours in it to the unprivileged owner; links are not followed.
 *
 * What a document made is the owner's already, so names that are no UTF-8, entries that vanish and folders nested
 * beyond any of ours are passed by.
 */
export async function ownTree(path: string, owner: UnprivilegedOwner): Promise<void> {
  await ownEntry(Buffer.from(path), owner, 0)
}

async function ownEntry(path: Buffer, owner: UnprivilegedOwner, depth: number): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found === null) return
  if (found.uid !== owner.uid) await lchown(path, owner.uid, owner.gid)
  if (!found.isDirectory() || depth > COMPILE_LIMITS.folderDepth) return
  for (const name of await readdir(path, { encoding: 'buffer' })) {
    await ownEntry(Buffer.concat([path, Buffer.from('/'), name]), owner, depth + 1)
  }
}
