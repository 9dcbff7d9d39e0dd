/**
 * Replaces the contents of a data directory. The directory itself cannot be renamed, because its parent may belong to
 * another user, and it may be a mount point.
 *
 * The database leaves first and arrives last. An interrupted replacement is marked by the folder it was moving from,
 * and no host starts on such a directory; another restore completes it, and nothing was removed.
 */
import { access, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { syncFolder } from '../base/durable-file.ts'
import { lockEntries } from '../store/sqlite/data-dir-lock.ts'
import { databaseEntry } from './backup-entries.ts'
import { BackupError } from './backup-error.ts'

interface Place {
  readonly dataDir: string
  readonly keep: readonly string[]
}

/** The source folder; it exists only during a replacement, or after an interrupted one. */
const arriving = 'restored'

/** Earlier contents, unfinished restores, and entries that file systems create in their root. */
const noContent = /^(?:replaced-.*|restore-[0-9a-f]{12}|lost\+found)$/

/** Entries that only data directories contain. */
const hostEntries: readonly string[] = [databaseEntry, 'serve.lock.db', 'sealing.key', 'repositories', arriving]

/** Whether a directory contains a host, or what an interrupted replacement left of one. */
export async function isDataDir(folder: string): Promise<boolean> {
  return (await readdir(folder)).some((name) => hostEntries.includes(name))
}

/** Names of the contents of a data directory, without its lock, which a restore holds; empty if it does not exist. */
export async function listContents({ dataDir, keep }: Place): Promise<readonly string[]> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => !noContent.test(name) && !lockEntries.includes(name) && !keep.includes(name))
}

/** Whether a replacement was interrupted, so that the data directory has neither the old nor the new contents. */
export function isHalfRestored(dataDir: string): Promise<boolean> {
  return access(join(dataDir, arriving)).then(
    () => true,
    () => false,
  )
}

/**
 * Moves the current contents aside and the contents of `folder`, on the same file system, into the data directory.
 * Returns the path of the old contents.
 *
 * @throws BackupError when entries cannot be moved; then nothing was changed.
 */
export async function putInPlace(folder: string, place: Place): Promise<string | null> {
  const { dataDir } = place
  const from = join(dataDir, arriving)
  const old = (await listContents(place)).filter((name) => name !== arriving)
  requireNotKept([arriving, ...(await readdir(folder))], place)
  await requireOnSameDisk(old, dataDir)
  // The rest of an interrupted replacement: its backup is being restored again.
  await rm(from, { recursive: true, force: true })
  await rename(folder, from)
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(/[:.]/g, '')}`)
  if (old.length > 0) await move(databaseFirst(old), { from: dataDir, to: aside })
  await move(databaseFirst(await readdir(from)).toReversed(), { from, to: dataDir })
  await rm(from, { recursive: true })
  await syncFolder(dataDir)
  return old.length > 0 ? aside : null
}

/** A kept folder with the name of a restored one would stop the replacement halfway. */
function requireNotKept(names: readonly string[], { dataDir, keep }: Place): void {
  const kept = names.find((name) => keep.includes(name))
  if (kept === undefined) return
  throw new BackupError(`${join(dataDir, kept)} contains backups, but would be replaced`, {
    remedy: 'Move the backups to another folder, and change backup.dir. Nothing was changed.',
  })
}

/** A mount point cannot be renamed. */
async function requireOnSameDisk(names: readonly string[], dataDir: string): Promise<void> {
  const { dev } = await stat(dataDir)
  for (const name of names) {
    const path = join(dataDir, name)
    if ((await lstat(path)).dev === dev) continue
    throw new BackupError(`${path} is a mount point, so it cannot be moved aside`, {
      remedy: 'Unmount it, restore the backup, and mount it again. Nothing was changed.',
    })
  }
}

async function move(
  names: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const name of names) await rename(join(from, name), join(to, name))
  await syncFolder(to)
}

/** Includes its write-ahead log, if there is one. */
function databaseFirst(names: readonly string[]): readonly string[] {
  return names.toSorted(
    (left, right) => Number(right.startsWith(databaseEntry)) - Number(left.startsWith(databaseEntry)),
  )
}
