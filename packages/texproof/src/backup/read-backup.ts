/**
 * Reads a backup from its first byte to its last, without trusting it: entries must be regular files with allowed
 * names, each is hashed while it is read, and at the end the hashes are compared with the list in the backup. Restored
 * files are not used before that.
 *
 * The list is the last entry, so that the file is written and read once, whatever its size. The computed hashes are
 * stored in a file, too.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

import { createTarDecoder } from 'modern-tar'
import type { ParsedTarEntry } from 'modern-tar'

import { findStorageFailure } from '../base/storage-failure.ts'
import { streamFile } from '../base/stream-file.ts'
import { BackupError } from './backup-error.ts'
import { headEntry, isContentEntry, isNamedAfter, showName, sumsEntry } from './backup-entries.ts'
import { parseHead } from './backup-head.ts'
import type { BackupHead } from './backup-head.ts'
import { compareSums } from './compare-sums.ts'
import { readFolderEntries } from './read-folder-entries.ts'

/** Options for reading. */
export interface ReadBackupOptions {
  /** A folder for temporary files. */
  readonly scratch: string
  /** Path of the new file for an entry; null = the entry is only checked. */
  readonly place: (name: string) => string | null
  /** Called with the first entry; an error that it throws ends the reading. */
  readonly onHead?: (head: BackupHead) => void
  readonly onProgress?: (readBytes: number) => void
  readonly signal?: AbortSignal | undefined
}

/** Results of reading every entry. */
export interface ReadEntries {
  /** Names of PDFs that were damaged before the backup: the content has the listed hash, but not the hash in the name. */
  readonly damagedPdfs: readonly string[]
}

const maxHeadBytes = 1024 * 1024
const chunkBytes = 256 * 1024

/**
 * Reads a whole backup.
 *
 * @throws BackupError which names the invalid entry.
 */
export async function readBackup(path: string, options: ReadBackupOptions): Promise<BackupHead & ReadEntries> {
  const listed = join(options.scratch, 'listed-sums')
  const counted = await open(join(options.scratch, 'counted-sums'), 'wx', 0o600)
  const damagedPdfs: string[] = []
  let head: BackupHead | null = null
  let last = ''
  try {
    for await (const { header, body } of await openEntries(path, options)) {
      const { name } = header
      if (last === sumsEntry) throw new BackupError(`${path} continues after its end with ${showName(name)}`)
      if (header.type !== 'file')
        throw new BackupError(`${path} contains ${showName(name)}, which is not a regular file`)
      if (head === null) {
        head = await readHead(path, { header, body }, counted)
        options.onHead?.(head)
      } else if (name === sumsEntry) await keep(body, listed)
      else if (!isNamedAfter(name, await readContent(path, { header, body }, { counted, place: options.place })))
        damagedPdfs.push(name)
      last = name
    }
  } catch (error) {
    if (findStorageFailure(error) === 'full') throw noSpace(dirname(options.scratch), error)
    throw explain(error, path, last)
  } finally {
    await counted.close()
  }
  if (head === null) throw notABackup(path)
  if (last !== sumsEntry) throw new BackupError(`${path} is cut off after ${last}`)
  const difference = await compareSums({ counted: join(options.scratch, 'counted-sums'), listed })
  if (difference !== null) throw new BackupError(`${path} is damaged: ${difference}`)
  return { ...head, damagedPdfs }
}

async function openEntries(
  path: string,
  { onProgress, signal }: ReadBackupOptions,
): Promise<AsyncIterable<ParsedTarEntry>> {
  if ((await stat(path)).isDirectory()) return readFolderEntries(path, { onProgress, signal })
  const file = createReadStream(path, { highWaterMark: chunkBytes, ...(signal === undefined ? {} : { signal }) })
  let readBytes = 0
  const body = streamFile(file, (bytes) => onProgress?.((readBytes += bytes)))
  return body.pipeThrough(createTarDecoder({ strict: true }))
}

async function readHead(path: string, { header, body }: ParsedTarEntry, counted: FileHandle): Promise<BackupHead> {
  if (header.name !== headEntry || header.size > maxHeadBytes) throw notABackup(path)
  const bytes = await buffer(body)
  const head = parseHead(bytes.toString('utf8'))
  if (head === null) throw notABackup(path)
  await counted.appendFile(sumLine(createHash('sha256').update(bytes).digest('hex'), header.name))
  return head
}

/** Returns the SHA-256 of the content. */
async function readContent(
  path: string,
  { header: { name }, body }: ParsedTarEntry,
  { counted, place }: { readonly counted: FileHandle } & Pick<ReadBackupOptions, 'place'>,
): Promise<string> {
  if (!isContentEntry(name))
    throw new BackupError(`${path} contains ${showName(name)}, which is not part of a Texproof backup`)
  const target = place(name)
  const hash = createHash('sha256')
  if (target === null) for await (const chunk of body) hash.update(chunk)
  else {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await keep(body, target, (chunk) => hash.update(chunk))
  }
  const sum = hash.digest('hex')
  await counted.appendFile(sumLine(sum, name))
  return sum
}

/** Synced to disk when it returns. */
async function keep(
  body: ReadableStream<Uint8Array>,
  target: string,
  onChunk: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  const file = await open(target, 'wx', 0o600)
  try {
    for await (const chunk of body) {
      onChunk(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

function sumLine(sum: string, name: string): string {
  return `${sum}  ${name}\n`
}

/** The error of a write does not name its file. */
function noSpace(folder: string, cause: unknown): BackupError {
  const isTemporary = folder === tmpdir()
  return new BackupError(`no space left in ${folder} to unpack the backup`, {
    remedy: `Free up disk space there${isTemporary ? ', or set TMPDIR to a folder on another disk' : ''}.`,
    cause,
  })
}

function notABackup(path: string): BackupError {
  return new BackupError(`${path} is not a Texproof backup`, {
    remedy: 'Create backups with texproof backup create.',
  })
}

/** Errors in the tar format have no code; a full disk and similar errors have one. */
function explain(error: unknown, path: string, last: string): unknown {
  if (!(error instanceof Error)) return error
  if ('code' in error && error.code === 'EEXIST')
    return new BackupError(`${path} contains an entry twice, after ${last}`, { cause: error })
  if ('code' in error || error.name === 'AbortError') return error
  if (last === '') return notABackup(path)
  const reason = error.message.charAt(0).toLowerCase() + error.message.slice(1).replace(/\.$/, '')
  return new BackupError(`${path} is damaged after ${last}: ${reason}`, { cause: error })
}
