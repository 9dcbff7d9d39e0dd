/**
 * One file with everything that a host cannot make again, taken while it runs.
 *
 * The database first, in one moment; then every repository that it knows, as it is a little later: so each has at least
 * what the database says of it. One that was removed for good meanwhile is given up in the copy of the database, which
 * is the last thing to be written, so that both agree. The file is read back before it gets its name: under that name
 * there is a whole backup or none.
 */
import { randomBytes } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { sealingKeyFile } from '../accounts/sealing-key.ts'
import { copyRepository } from '../git/copy-repository.ts'
import { syncFolder } from '../git/durable-file.ts'
import { repositoryPath } from '../git/repository-path.ts'
import { defaultSearchPath } from '../git/spawn-git.ts'
import { readVersion } from '../read-version.ts'
import { openDatabaseFile } from '../store/database-file.ts'
import type { DatabaseFile } from '../store/database-file.ts'
import type { Store } from '../store/store.ts'
import { BackupError } from './backup-error.ts'
import { databaseEntry, headEntry } from './backup-entries.ts'
import { encodeHead } from './backup-head.ts'
import { readBackup } from './read-backup.ts'
import { sweepUnfinished, unfinishedEnding } from './sweep-unfinished.ts'
import { openTarWriter } from './tar-writer.ts'
import type { TarWriter } from './tar-writer.ts'

/** What to back up. */
export interface BackupSource {
  readonly dataDir: string
  readonly store: Pick<Store, 'snapshot'>
}

/** How to make one. */
export interface MakeBackupOptions {
  /** The file, which must not exist; its folder is made when absent. */
  readonly target: string
  /** PDFs of tags are permanent and come along always; others can be built again. */
  readonly pdfs: 'of-tags' | 'all'
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (progress: BackupProgress) => void
}

/** How far it is. */
export type BackupProgress =
  | { readonly step: 'writing'; readonly repositories: number; readonly bytes: number }
  | { readonly step: 'checking'; readonly bytes: number; readonly ofBytes: number }

/** What was made. */
export interface MadeBackup {
  readonly path: string
  readonly sizeBytes: number
  /** Epoch milliseconds of the moment that its database shows. */
  readonly createdAt: number
  readonly repositories: number
  /** Repositories that lack something themselves: they are in the backup as they are. */
  readonly damaged: readonly { readonly fullName: string; readonly damage: string }[]
}

/**
 * Makes a backup.
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
  const { target, signal } = options
  const mark = randomBytes(6).toString('hex')
  const scratch = join(source.dataDir, 'tmp', `backup-${mark}`)
  const draft = `${target}.${mark}${unfinishedEnding}`
  try {
    await mkdir(join(scratch, 'check'), { recursive: true, mode: 0o700 })
    const made = await writeDraft(source, { ...options, draft, scratch })
    const onProgress = (bytes: number): void =>
      options.onProgress?.({ step: 'checking', bytes, ofBytes: made.sizeBytes })
    await readBackup(draft, { scratch: join(scratch, 'check'), place: () => null, onProgress, signal })
    await rename(draft, target)
    await syncFolder(dirname(target))
    return made
  } finally {
    await rm(draft, { force: true })
    await rm(scratch, { recursive: true, force: true })
  }
}

interface Draft extends MakeBackupOptions {
  readonly draft: string
  readonly scratch: string
}

async function writeDraft({ dataDir, store }: BackupSource, options: Draft): Promise<MadeBackup> {
  const { draft, scratch, target } = options
  const createdAt = Date.now()
  const snapshot = join(scratch, databaseEntry)
  await store.snapshot(snapshot)
  const database = openSound(snapshot)
  const file = await open(draft, 'wx', 0o600)
  const tar = openTarWriter(file, { sumsPath: join(scratch, 'sums'), createdAt })
  try {
    const migrations = database.listMigrations()
    await tar.addText(headEntry, encodeHead({ version: readVersion(), migrations, createdAt }))
    const repositories = await addRepositories(tar, { ...options, dataDir, database })
    await addPdfs(tar, { ...options, dataDir, database })
    // After the database: a key that was made meanwhile opens nothing in it and does no harm.
    for (const name of [sealingKeyFile, 'texproof.toml']) await tar.addFile(name, join(dataDir, name))
    database.forgetVisits()
    database.close()
    await tar.addFile(databaseEntry, snapshot)
    await tar.end()
    await file.sync()
    return { path: target, sizeBytes: tar.sizeBytes, createdAt, ...repositories }
  } finally {
    database.close()
    await tar.abort()
    await file.close()
  }
}

/** The copy of the database. @throws BackupError when it is damaged: a backup of it would hide that. */
function openSound(path: string): DatabaseFile {
  const database = openDatabaseFile(path, { isReadOnly: false })
  const damage = database.findDamage()
  if (damage === null) return database
  database.close()
  throw new BackupError(`the database is damaged: ${damage}`, {
    remedy: 'Restore an earlier backup; nothing was written.',
  })
}

interface Content extends Draft {
  readonly dataDir: string
  readonly database: DatabaseFile
}

async function addRepositories(
  tar: TarWriter,
  content: Content,
): Promise<Pick<MadeBackup, 'repositories' | 'damaged'>> {
  const { database, dataDir, onProgress, scratch, signal } = content
  const damaged: { fullName: string; damage: string }[] = []
  let repositories = 0
  for (const { id, fullName } of database.listRepositories()) {
    signal?.throwIfAborted()
    const target = join(scratch, 'repository')
    const gitDir = repositoryPath(join(dataDir, 'repositories'), id)
    const copy = await copyRepository(gitDir, { target, searchPath: defaultSearchPath })
    if (copy.kind === 'gone') {
      database.giveUpRepository(id)
      continue
    }
    if (copy.damage !== null) damaged.push({ fullName, damage: copy.damage })
    await addFolder(tar, repositoryPath('repositories', id), { folder: target, signal })
    await rm(target, { recursive: true })
    repositories += 1
    onProgress?.({ step: 'writing', repositories, bytes: tar.sizeBytes })
  }
  return { repositories, damaged }
}

async function addFolder(
  tar: TarWriter,
  name: string,
  { folder, signal }: { readonly folder: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  for (const path of paths.toSorted()) {
    signal?.throwIfAborted()
    await tar.addFile(`${name}${path.slice(folder.length)}`, path)
  }
}

async function addPdfs(tar: TarWriter, { dataDir, database, pdfs, signal }: Content): Promise<void> {
  const ids =
    pdfs === 'of-tags'
      ? database.listTagPdfIds()
      : (await readdir(join(dataDir, 'cache/pdf'), { recursive: true }).catch(() => [])).flatMap(
          (path) => /\/([0-9a-f]{64})\.pdf$/.exec(path)?.[1] ?? [],
        )
  for (const id of ids) {
    signal?.throwIfAborted()
    const name = `cache/pdf/${id.slice(0, 2)}/${id}.pdf`
    await tar.addFile(name, join(dataDir, name))
  }
}

/** @throws BackupError when there is a file of this name: no backup is ever overwritten. */
async function requireFree(target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  const isTaken = await access(target).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new BackupError(`${target} exists`, { remedy: 'Choose another name, or name a folder alone.' })
}

function explain(error: unknown, target: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new BackupError(`the disk of ${target} or of the data directory is full`, {
      remedy: 'Free some space, or name a folder on another disk. Nothing is left of the unfinished backup.',
      cause: error,
    })
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new BackupError(`uid ${process.getuid?.() ?? '?'} may not write to ${dirname(target)}`, {
      remedy: 'Give it the folder, or name another one.',
      cause: error,
    })
  if (code === 'ENOTDIR' || code === 'EEXIST')
    return new BackupError(`${dirname(target)} is no folder`, { remedy: 'Name a folder, or a file NAME.tar.' })
  return error
}
