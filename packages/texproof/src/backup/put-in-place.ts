/**
 * The swap of a restore, inside the data directory: its parent may belong to another user, and it may be a mount of its
 * own, so the directory itself cannot be renamed.
 *
 * The database leaves first and arrives last. A swap that is cut off is marked by the folder it was moving from, and no
 * host starts on such a directory: restoring once more clears it up, and nothing was removed.
 */
import { access, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../base/durable-file.ts'
import { databaseEntry } from './backup-entries.ts'

interface Place {
  readonly dataDir: string
  readonly keep: readonly string[]
}

/** What a swap moves from; there only while one is under way, or after one that was cut off. */
const arriving = 'restored'

/** Earlier contents, leftovers of restores, and what file systems put at their root. */
const noContent = /^(?:replaced-.*|restore-[0-9a-f]{12}|lost\+found)$/

/** Names of what is in a data directory; nothing in one that is not there. */
export async function listContents({ dataDir, keep }: Place): Promise<readonly string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => !noContent.test(name) && !keep.includes(name))
}

/** Whether a swap was cut off in a data directory, which is neither the old nor the new one then. */
export function isHalfRestored(dataDir: string): Promise<boolean> {
  return access(join(dataDir, arriving)).then(
    () => true,
    () => false,
  )
}

/** Moves what is there aside and the contents of `folder`, on the same file system, in its place. Gives where the old lies. */
export async function putInPlace(folder: string, place: Place): Promise<string | null> {
  const { dataDir } = place
  const from = join(dataDir, arriving)
  const old = (await listContents(place)).filter((name) => name !== arriving)
  // Of a swap that was cut off: the backup that it came from is being restored again.
  await rm(from, { recursive: true, force: true })
  await rename(folder, from)
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '')}`)
  if (old.length > 0) await move(databaseFirst(old), { from: dataDir, to: aside })
  await move(databaseFirst(await readdir(from)).toReversed(), { from, to: dataDir })
  await rm(from, { recursive: true })
  await syncFolder(dataDir)
  return old.length > 0 ? aside : null
}

async function move(
  names: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of names) await rename(join(from, name), join(to, name))
  await syncFolder(to)
}

/** With its write-ahead log, should there be one. */
function databaseFirst(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (left, right) => Number(right.startsWith(databaseEntry)) - Number(left.startsWith(databaseEntry)),
  )
}
