import { lchown, lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { UnprivilegedOwner } from './unprivileged-owner.ts'

/** Gives a folder and everything in it that is not theirs yet to the unprivileged owner; links are not followed. */
export async function ownTree(path: string, owner: UnprivilegedOwner): Promise<void> {
  const found = await lstat(path)
  if (found.uid !== owner.uid) await lchown(path, owner.uid, owner.gid)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await ownTree(join(path, name), owner)
}
