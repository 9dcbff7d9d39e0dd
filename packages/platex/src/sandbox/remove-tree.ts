/**
 * Removes a folder written by a hostile document.
 *
 * `fs.rm` fails for folders without permissions and for paths beyond the kernel's 4096 bytes, and names need not be
 * UTF-8. So names stay bytes, permissions are restored first, and folders nested too deep are moved up next to the
 * root. Links are removed, never followed.
 */

import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises'

/** Longest path handled in place; one more name of 255 bytes still fits the kernel's limit. */
const MAX_PATH_BYTES = 3800

/** Attempts while other processes remove the same tree, as two services that start do. */
const MAX_TRIES = 100

/**
 * Removes the file or folder at `path`; it is not an error if it is missing, or if another process removes it meanwhile.
 */
export async function removeTree(path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await removeAll(Buffer.from(path))
      return
    } catch (error) {
      if (!isAbsent(error) || tries === MAX_TRIES) throw error
    }
  }
}

async function removeAll(root: Buffer): Promise<void> {
  const found = await lstat(root).catch(() => null) // Already removed.
  if (found === null) return
  if (!found.isDirectory()) return unlink(root)
  await emptyFolder(root, { root, movedCount: 0 })
  await rmdir(root)
}

interface Removal {
  readonly root: Buffer
  /** Number of folders moved up, for unique names. */
  movedCount: number
}

async function emptyFolder(folder: Buffer, removal: Removal): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = joinBytes(folder, entry.name)
    if (entry.isDirectory()) await removeFolder(path, removal)
    else await unlink(path)
  }
}

async function removeFolder(folder: Buffer, removal: Removal): Promise<void> {
  if (await isRemovedAtOnce(folder)) return
  const place = folder.length > MAX_PATH_BYTES ? await moveUp(folder, removal) : folder
  await emptyFolder(place, removal)
  await rmdir(place)
}

/** Attacks create many empty folders: one call each instead of four. */
async function isRemovedAtOnce(folder: Buffer): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch {
    return false // It is not empty, or its path is too long: the general case handles it, or throws.
  }
}

async function moveUp(folder: Buffer, removal: Removal): Promise<Buffer> {
  removal.movedCount += 1
  const place = Buffer.concat([removal.root, Buffer.from(`.moved-${removal.movedCount}`)])
  // Moving a folder rewrites its `..`, which needs permission on the folder itself.
  await chmod(folder, 0o700)
  await rename(folder, place)
  return place
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function joinBytes(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from('/'), name])
}
