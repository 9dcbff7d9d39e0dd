import { createReadStream } from 'node:fs'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { createTarDecoder } from 'modern-tar'

import { streamFile } from '../base/stream-file.ts'
import { headEntry } from './backup-entries.ts'
import { parseHead } from './backup-head.ts'
import type { BackupHead } from './backup-head.ts'

interface FoundBackup extends BackupHead {
  readonly path: string
}

/** A backup as described by its first entry; the rest is not verified. */
export interface ListedBackup extends FoundBackup {
  readonly sizeBytes: number
}

/** Maximum size of the first entry. */
const headBytes = 256 * 1024

/** The file name of a backup made at this time (epoch milliseconds). Names sort by time. */
export function nameBackup(at: number): string {
  const [day, time] = new Date(at).toISOString().split('T')
  return `texproof-${day}-${(time ?? '').slice(0, 8).replaceAll(':', '')}.tar`
}

/** The folder name of an incremental backup made at this time. */
export function nameIncrementalBackup(at: number): string {
  return nameBackup(at).replace(/\.tar$/, '')
}

const named = /^texproof-\d{4}-\d\d-\d\d-\d{6}(?:\.tar)?$/
const namedFolder = /^texproof-\d{4}-\d\d-\d\d-\d{6}$/

/** Path of the newest incremental backup in a folder; null if there is none. */
export async function findNewestFolder(folder: string): Promise<string | null> {
  const newest = (await findBackups(folder)).find(({ path }) => namedFolder.test(basename(path)))
  return newest?.path ?? null
}

/** The backups in a folder, newest first; other files are omitted. Empty if the folder does not exist. */
export async function listBackups(folder: string): Promise<readonly ListedBackup[]> {
  const listed: ListedBackup[] = []
  for (const backup of await findBackups(folder)) {
    const found = await stat(backup.path)
    listed.push({ ...backup, sizeBytes: found.isDirectory() ? await measureFolder(backup.path) : found.size })
  }
  return listed
}

/** Backups without their sizes: the size of an incremental backup requires a look at every file. */
async function findBackups(folder: string): Promise<readonly FoundBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: FoundBackup[] = []
  for (const name of names.filter((each) => each.endsWith('.tar') || namedFolder.test(each))) {
    const path = join(folder, name)
    const head = namedFolder.test(name) ? await findFolderHead(path) : await findHead(path)
    if (head !== null) found.push({ ...head, path })
  }
  return found.toSorted((left, right) => right.createdAt - left.createdAt)
}

/**
 * Removes all but the newest backups with generated names; files with other names stay. `made`, the name of the last one,
 * is the newest even if the clock was set back. `isDamaged` = a repository is damaged: as many of the oldest backups stay,
 * because those from before the damage may be the only ones with an intact copy.
 */
export async function keepNewest(
  folder: string,
  { count, made, isDamaged }: { readonly count: number; readonly made: string; readonly isDamaged: boolean },
): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => named.test(name) && name !== made).toSorted()
  const old = names.slice(isDamaged ? count : 0, Math.max(0, names.length + 1 - count))
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true })
  return old
}

/** Bytes of all files, including those that are shared with other backups. */
export async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let sizeBytes = 0
  for (const entry of entries) if (entry.isFile()) sizeBytes += (await stat(join(entry.parentPath, entry.name))).size
  return sizeBytes
}

/** Null if the folder is not a backup, or has the format of a newer version. */
async function findFolderHead(folder: string): Promise<BackupHead | null> {
  try {
    return parseHead(await readFile(join(folder, headEntry), 'utf8'))
  } catch {
    return null // not a backup, or not readable by this user
  }
}

/** Null if the file is not a backup, or has the format of a newer version. */
async function findHead(path: string): Promise<BackupHead | null> {
  const file = createReadStream(path, { end: headBytes - 1 })
  try {
    const entries = streamFile(file).pipeThrough(createTarDecoder({ strict: true }))
    for await (const { header, body } of entries)
      return header.name === headEntry && header.size < headBytes ? parseHead((await buffer(body)).toString()) : null
    return null
  } catch {
    return null // not a tar file, or not readable
  } finally {
    file.destroy()
  }
}
