import { constants } from 'node:fs'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

import type { ParsedTarEntry } from 'modern-tar'

import { isAbsent } from '../base/absent.ts'
import { streamFile } from '../base/stream-file.ts'
import { BackupError } from './backup-error.ts'
import { headEntry, isContentEntry, showName, sumsEntry } from './backup-entries.ts'

interface FolderOptions {
  readonly onProgress?: ((readBytes: number) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The entries of an incremental backup, in the order of its list of hashes. Files that the list does not name are not read.
 *
 * @throws BackupError for a name that no backup has, a missing file, and a link.
 */
export async function* readFolderEntries(folder: string, options: FolderOptions): AsyncGenerator<ParsedTarEntry> {
  const progress = { readBytes: 0 }
  yield await openEntry(folder, headEntry, { ...options, progress })
  const lines = createInterface({ input: createReadStream(join(folder, sumsEntry)) })
  for await (const line of lines) {
    const name = line.slice(66)
    if (name === headEntry) continue
    if (!isContentEntry(name))
      throw new BackupError(`${folder} contains ${showName(name)}, which is not part of a Texproof backup`)
    yield await openEntry(folder, name, { ...options, progress })
  }
  yield await openEntry(folder, sumsEntry, { ...options, progress })
}

async function openEntry(
  folder: string,
  name: string,
  { onProgress, signal, progress }: FolderOptions & { readonly progress: { readBytes: number } },
): Promise<ParsedTarEntry> {
  const path = join(folder, name)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    const isLink = error instanceof Error && 'code' in error && error.code === 'ELOOP'
    if (isLink) throw new BackupError(`${folder} contains ${showName(name)}, which is not a regular file`)
    if (isAbsent(error)) throw new BackupError(`${folder} is damaged: ${showName(name)} is missing`)
    throw error
  })
  const { size } = await file.stat()
  const stream = file.createReadStream(signal === undefined ? {} : { signal })
  const body = streamFile(stream, (bytes) => onProgress?.((progress.readBytes += bytes)))
  return { header: { name, size, type: 'file' }, body }
}
