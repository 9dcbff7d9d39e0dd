import { randomBytes } from 'node:crypto'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'

import { syncFolder } from '../base/durable-file.ts'
import { makeFolders } from '../base/make-folders.ts'
import { findStorageFailure } from '../base/storage-failure.ts'
import { quote } from '../domain/text/shell-word.ts'
import { BackupError } from './backup-error.ts'
import { findNewestFolder } from './list-backups.ts'
import { readBackup } from './read-backup.ts'
import { sweepUnfinished, unfinishedEnding } from './sweep-unfinished.ts'
import { writeBackup } from './write-backup.ts'
import type { BackupSource, WriteBackupOptions, WrittenBackup } from './write-backup.ts'

/** Options of a backup. */
export interface MakeBackupOptions extends Pick<WriteBackupOptions, 'pdfs' | 'signal'> {
  /** Makes a folder that shares unchanged files with the newest such folder beside it. */
  readonly isIncremental?: boolean
  /** The file, which must not exist; its folder is created if absent. */
  readonly target: string
  readonly onProgress?: (progress: BackupProgress) => void
}

/** The progress of a backup. */
export type BackupProgress =
  | { readonly step: 'writing'; readonly bytes: number }
  | { readonly step: 'checking'; readonly bytes: number; readonly ofBytes: number }

/** The result of a backup. */
export interface MadeBackup extends WrittenBackup {
  readonly path: string
}

/**
 * Creates a backup of a host that may be running, and verifies it before it is renamed to its final name: under that
 * name, there is a complete backup or none.
 *
 * @throws BackupError when the file exists, the database is damaged, or the disk is full.
 */
export async function makeBackup(source: BackupSource, options: MakeBackupOptions): Promise<MadeBackup> {
  try {
    await requireFree(options.target)
    await sweepUnfinished(source.dataDir, dirname(options.target))
    return await makeWhole(source, options)
  } catch (error) {
    throw explain(error, options.target)
  }
}

async function makeWhole(source: BackupSource, options: MakeBackupOptions): Promise<MadeBackup> {
  const { target, signal, onProgress, isIncremental = false } = options
  const mark = randomBytes(6).toString('hex')
  const scratch = join(source.dataDir, 'tmp', `backup-${mark}`)
  const draft = `${target}.${mark}${unfinishedEnding}`
  try {
    await mkdir(join(scratch, 'check'), { recursive: true, mode: 0o700 })
    const onWritten = (bytes: number): void => onProgress?.({ step: 'writing', bytes })
    const incremental = isIncremental ? { previous: await findNewestFolder(dirname(target)) } : null
    const written = await writeBackup(source, { ...options, path: draft, scratch, onWritten, incremental })
    const onRead = (bytes: number): void => onProgress?.({ step: 'checking', bytes, ofBytes: written.sizeBytes })
    // What a folder shares was read back when it was written, and so was the rest.
    if (incremental === null)
      await readBackup(draft, { scratch: join(scratch, 'check'), place: () => null, onProgress: onRead, signal })
    await rename(draft, target)
    await syncFolder(dirname(target))
    return { ...written, path: target }
  } finally {
    await rm(draft, { recursive: true, force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

/** @throws BackupError when the file exists: backups are never overwritten. */
async function requireFree(target: string): Promise<void> {
  await makeFolders(dirname(target), 0o700)
  const isTaken = await access(target).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new BackupError(`${target} exists`, { remedy: 'Choose another name, or pass only a folder.' })
}

/** The file, its name while it is written, or a folder that contains it. */
function isPartOfTarget(path: string, target: string): boolean {
  return path.startsWith(target) || target.startsWith(join(path, sep))
}

function explain(error: unknown, target: string): unknown {
  const { code, path, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  if (findStorageFailure(error) === 'full')
    return new BackupError(`the disk of ${target} or of the data directory is full`, {
      remedy: 'Free up space, or choose a folder on another disk. The unfinished backup was removed.',
      cause: error,
    })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    const uid = process.geteuid?.() ?? '?'
    const user = `uid ${uid}`
    const folder = dirname(target)
    if (code !== 'EROFS' && syscall === 'mkdir' && path !== undefined && isPartOfTarget(path, target))
      return new BackupError(`${folder} does not exist, and ${user} cannot create it`, {
        remedy: `Create it: sudo install -d -m 700 -o ${uid} ${quote(folder)}. Or choose another folder.`,
        cause: error,
      })
    return path === undefined || isPartOfTarget(path, target)
      ? new BackupError(`${user} cannot write to ${folder}`, {
          remedy: 'Change the owner of the folder, or choose another one.',
          cause: error,
        })
      : new BackupError(`${user} cannot access ${path}`, {
          remedy: 'Change its owner, or run the command as the user of the server.',
          cause: error,
        })
  }
  // Only the folder is created, so it is a path that accepts none, such as /proc or an unmounted automount point.
  if (code === 'ENOENT' && syscall === 'mkdir')
    return new BackupError(`${dirname(target)} does not exist and cannot be created`, {
      remedy: 'Mount its disk, or choose another folder.',
      cause: error,
    })
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new BackupError(`${dirname(target)} is not a folder`, { remedy: 'Pass a folder, or a file NAME.tar.' })
  return error
}
