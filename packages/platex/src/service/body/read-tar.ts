import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { checkFilesCount, checkTotalFilesBytes, type ResolvedLimits } from '../../options/check-limits.ts'
import { readTar as listEntries, type TarEntry } from '../../tar/read-tar.ts'
import { shorten, TarError } from '../../tar/tar-error.ts'
import { RequestFault } from '../wire/request-fault.ts'

/** Folders and hidden files, which no other limit counts. */
const MAX_OTHER_ENTRIES = 1000
/** Maximum size of headers, long names and padding of one entry. */
const ENTRY_OVERHEAD_BYTES = 4096
/** Independent of the configured limits: the thread has no memory for more. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024

/**
 * Reads the files of a tar archive, optionally compressed with gzip. Hidden files are skipped, because TeX does not
 * open them.
 *
 * @throws RequestFault 400 for an invalid archive, a link, or contents over the limits; CompileInputError for too many
 * files or bytes.
 */
export async function readTar(
  archive: Uint8Array<ArrayBuffer>,
  limits: ResolvedLimits,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const tar = archive[0] === 0x1f && archive[1] === 0x8b ? await inflate(archive, limits) : archive
  try {
    return collectFiles(tar, limits)
  } catch (error) {
    throw error instanceof TarError ? invalid(error.message, error) : error
  }
}

async function inflate(archive: Uint8Array<ArrayBuffer>, limits: ResolvedLimits): Promise<Uint8Array<ArrayBuffer>> {
  const entries = limits.maxFilesCount + MAX_OTHER_ENTRIES
  const maxBytes = Math.min(limits.maxTotalFilesBytes + entries * ENTRY_OVERHEAD_BYTES, MAX_UNPACKED_BYTES)
  try {
    return await promisify(gunzip)(archive, { maxOutputLength: maxBytes })
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw invalid(
      isTooLarge ? `The archive unpacks to more than ${maxBytes} bytes.` : 'The archive is not valid gzip data.',
      error,
    )
  }
}

function collectFiles(tar: Uint8Array, limits: ResolvedLimits): ReadonlyMap<string, Uint8Array> {
  const files = new Map<string, Uint8Array>()
  const maxEntries = limits.maxFilesCount + MAX_OTHER_ENTRIES
  const entries = listEntries(tar, maxEntries)
  if (entries.length > maxEntries) throw invalid(`The archive has more than ${maxEntries} entries.`)
  let totalBytes = 0
  for (const entry of entries) {
    const name = entry.name.replace(/^(?:\.\/)+/, '')
    if (!isWanted(entry.kind, name)) continue
    if (files.has(name)) throw invalid(`The archive contains "${shorten(name)}" twice.`)
    checkFilesCount(files.size + 1, limits)
    checkTotalFilesBytes((totalBytes += entry.content.length), limits)
    // A copy: the archive is not kept in memory for its files.
    files.set(name, new Uint8Array(entry.content))
  }
  return files
}

const OTHER_KINDS = { link: 'symbolic link', 'hard-link': 'hard link', device: 'device' } as const

/** @throws RequestFault for a link or a device. */
function isWanted(kind: TarEntry['kind'], name: string): boolean {
  if (kind === 'folder') return false
  if (kind !== 'file')
    throw invalid(`The archive contains "${shorten(name)}", which is a ${OTHER_KINDS[kind]}. Send the file itself.`)
  return !name.split('/').some((part) => part.startsWith('.') && part !== '..')
}

function invalid(message: string, cause?: unknown): RequestFault {
  return new RequestFault(message, { status: 400, code: 'invalid_request', cause })
}
