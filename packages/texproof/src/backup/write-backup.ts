/**
 * Writes one file with all data of a host that cannot be recreated, while the host runs.
 *
 * First a snapshot of the database, then every repository it lists, as it is slightly later: each repository therefore
 * has at least what the database refers to. Repositories removed in the meantime are marked for removal in the copy of
 * the database, which is written last, so that both agree; any other repository without a directory is damaged. Pushes
 * since the snapshot are added to the journal of the copy: post-receive of the restored host records those that its
 * repositories contain.
 */
import { existsSync } from 'node:fs'
import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../base/absent.ts'
import { sealingKeyFile } from '../base/sealing/sealing-key.ts'
import { copyRepository } from '../git/admin/copy-repository.ts'
import { repositoryPath } from '../git/admin/repository-path.ts'
import { defaultSearchPath } from '../git/process/spawn-git.ts'
import { readVersion } from '../base/read-version.ts'
import { openDatabaseCopy, type DatabaseCopy } from '../store/sqlite/database-copy.ts'
import type { PushJournal } from '../store/repositories/push-journal.ts'
import type { Repositories } from '../store/repositories/repositories.ts'
import type { Store } from '../store/store.ts'
import { DamagedObject, downloadObject } from '../bucket/download-object.ts'
import { BucketUnavailable, openBucket, type Bucket } from '../bucket/open-bucket.ts'
import type { BucketAddress } from '../config/parse-bucket-url.ts'
import { BackupError } from './backup-error.ts'
import { databaseEntry, headEntry } from './backup-entries.ts'
import { encodeHead } from './backup-head.ts'
import type { EntryWriter } from './tar-writer.ts'
import { openFolderWriter } from './folder-writer.ts'
import { openObjectCheck, openPdfCheck } from './object-check.ts'
import { openTarWriter } from './tar-writer.ts'

/** Data to back up. */
export interface BackupSource {
  readonly dataDir: string
  readonly store: Pick<Store, 'snapshot'> & {
    readonly pushJournal: Pick<PushJournal, 'listLater'>
    readonly repositories: Pick<Repositories, 'findState'>
  }
  /** Keeps PDFs that may be absent on disk. @default null */
  readonly bucket?: BucketAddress | null
}

/** Options of a backup. */
export interface WriteBackupOptions {
  /** The file or folder, which must not exist. */
  readonly path: string
  /** Writes a folder that shares unchanged files with `previous`, another such folder. @default a tar */
  readonly incremental?: { readonly previous: string | null } | null | undefined
  /** A temporary folder on the file system of the data directory. */
  readonly scratch: string
  /** PDFs of tags are permanent and always included; others, of those on disk, can be built again. */
  readonly pdfs: 'of-tags' | 'all'
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes written so far. */
  readonly onWritten: (bytes: number) => void
}

/** The result. */
export interface WrittenBackup {
  readonly sizeBytes: number
  /** Time of the database snapshot, epoch milliseconds. */
  readonly createdAt: number
  readonly repositories: number
  /** Repositories with missing objects, which are included as they are, and those without a directory. */
  readonly damaged: readonly { readonly fullName: string; readonly damage: string }[]
  /** Paths of PDFs whose content does not match their name, which are included as they are. */
  readonly damagedPdfs: readonly string[]
  /** PDFs that the bucket could not provide, which are not included. */
  readonly missingPdfs: readonly MissingPdf[]
}

/** A PDF that is in the bucket only, and why it could not be read. */
export interface MissingPdf {
  readonly name: string
  readonly reason: string
}

/**
 * Writes a backup and syncs it to disk.
 *
 * @throws BackupError when the database is damaged.
 */
export async function writeBackup(
  { dataDir, store, bucket = null }: BackupSource,
  options: WriteBackupOptions,
): Promise<WrittenBackup> {
  const { path, scratch, signal, onWritten } = options
  const createdAt = Date.now()
  const snapshot = join(scratch, databaseEntry)
  await store.snapshot(snapshot, { signal })
  const database = openSound(snapshot)
  const { incremental = null } = options
  const sumsPath = join(scratch, 'sums')
  const file = incremental === null ? await open(path, 'wx', 0o600) : null
  const writer =
    file === null
      ? await openFolderWriter(path, { sumsPath, previous: incremental?.previous ?? null, signal, onWritten })
      : openTarWriter(file, { sumsPath, createdAt, signal, onWritten })
  try {
    const migrations = database.listMigrations()
    await writer.addText(headEntry, encodeHead({ version: readVersion(), migrations, createdAt }))
    const repositories = await addRepositories(writer, { ...options, dataDir, database, store })
    const pdfs = await addPdfs(writer, { ...options, dataDir, database, store, bucket })
    // Copied after the database: a key that was created in the meantime is not used in it and does no harm.
    for (const name of [sealingKeyFile, 'texproof.toml']) await writer.addFile(name, join(dataDir, name))
    database.removeTransient()
    database.close()
    await writer.addFile(databaseEntry, snapshot)
    await writer.end()
    await file?.sync()
    return { sizeBytes: writer.sizeBytes, createdAt, ...repositories, ...pdfs }
  } finally {
    database.close()
    await writer.abort()
    await file?.close()
  }
}

/** Opens the copy of the database. @throws BackupError when it is damaged: a backup would hide that. */
function openSound(path: string): DatabaseCopy {
  const database = openDatabaseCopy(path)
  const damage = database.findDamage()
  if (damage === null) return database
  database.close()
  throw new BackupError(`the database is damaged: ${damage}`, {
    remedy: 'Restore an earlier backup; nothing was written.',
  })
}

interface Content extends WriteBackupOptions, BackupSource {
  readonly database: DatabaseCopy
}

async function addRepositories(
  writer: EntryWriter,
  content: Content,
): Promise<Pick<WrittenBackup, 'repositories' | 'damaged'>> {
  const { database, dataDir, scratch, signal, store } = content
  const copied = database.findCopiedPushes()
  const damaged: { fullName: string; damage: string }[] = []
  let repositories = 0
  for (const { id, fullName } of database.listRepositories()) {
    signal?.throwIfAborted()
    const target = join(scratch, 'repository')
    const gitDir = repositoryPath(join(dataDir, 'repositories'), id)
    const copy = await copyRepository(gitDir, { target, searchPath: defaultSearchPath, signal })
    if (copy.kind === 'gone') {
      // A removal changes the state first. In any other state, the directory is lost, or its file system is not mounted.
      const isRemoved = [null, 'removing'].includes(await store.repositories.findState(id))
      if (isRemoved) database.giveUpRepository(id)
      else damaged.push({ fullName, damage: `${gitDir} is missing` })
      continue
    }
    database.addPushes(await store.pushJournal.listLater(id, copied), copied)
    if (copy.damage !== null) damaged.push({ fullName, damage: `${gitDir}: ${copy.damage}` })
    for (const file of await addFolder(writer, repositoryPath('repositories', id), target))
      damaged.push({ fullName, damage: `${gitDir}${file}: the content does not match its checksum` })
    await rm(target, { recursive: true })
    repositories += 1
  }
  return { repositories, damaged }
}

/** Returns the damaged files; each path starts with a slash. */
async function addFolder(writer: EntryWriter, name: string, folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const damaged: string[] = []
  for (const path of paths.toSorted()) {
    const file = path.slice(folder.length)
    const check = openObjectCheck(file) ?? undefined
    if ((await writer.addFile(`${name}${file}`, path, check)) === 'damaged') damaged.push(file)
  }
  return damaged
}

async function addPdfs(
  writer: EntryWriter,
  { dataDir, database, pdfs, bucket: address = null }: Content,
): Promise<Pick<WrittenBackup, 'damagedPdfs' | 'missingPdfs'>> {
  const ids = new Set(database.listTagPdfIds())
  // Absent: no PDF was built.
  const stored =
    pdfs === 'all' ? await readdir(join(dataDir, 'cache/pdf'), { recursive: true }).catch(whenAbsent([])) : []
  for (const path of stored) {
    const id = /\/([0-9a-f]{64})\.pdf$/.exec(path)?.[1]
    if (id !== undefined) ids.add(id)
  }
  const fetchPdf = address === null ? null : openPdfFetch(openBucket(address))
  const damagedPdfs: string[] = []
  const missingPdfs: MissingPdf[] = []
  for (const id of ids) {
    const name = `pdf/${id.slice(0, 2)}/${id}.pdf`
    const path = join(dataDir, 'cache', name)
    const reason = fetchPdf === null || existsSync(path) ? null : await fetchPdf(name, path)
    if (reason !== null) missingPdfs.push({ name, reason })
    else if ((await writer.addFile(`cache/${name}`, path, openPdfCheck(id))) === 'damaged') damagedPdfs.push(path)
  }
  return { damagedPdfs, missingPdfs }
}

/**
 * Returns a function that downloads a PDF, if the bucket has it, and returns why it could not, or null. An outage must not
 * cost a minute for each PDF: after the first failure, it does not try again.
 */
function openPdfFetch(bucket: Bucket): (name: string, path: string) => Promise<string | null> {
  let outage: string | null = null
  return async (name, path) => {
    if (outage !== null) return outage
    try {
      await downloadObject(bucket, { name, path })
      return null
    } catch (error) {
      if (error instanceof DamagedObject) return error.message
      if (!(error instanceof BucketUnavailable)) throw error
      outage = error.message
      return outage
    }
  }
}
