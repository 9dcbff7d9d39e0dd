import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'

import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'

import { checkFilesCount, checkTotalFilesBytes, type ResolvedLimits } from '../../options/check-limits.ts'
import { CompileInputError } from '../../base/errors.ts'
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
    return await collectFiles(tar, limits)
  } catch (error) {
    if (error instanceof RequestFault || error instanceof CompileInputError) throw error
    throw invalid('The archive cannot be read as tar.', error)
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
      isTooLarge ? `The archive unpacks to more than ${maxBytes} bytes.` : 'The gzip archive cannot be inflated.',
      error,
    )
  }
}

async function collectFiles(
  tar: Uint8Array<ArrayBuffer>,
  limits: ResolvedLimits,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>()
  const maxEntries = limits.maxFilesCount + MAX_OTHER_ENTRIES
  let entries = 0
  let totalBytes = 0
  for await (const { header, body } of new Blob([tar]).stream().pipeThrough(createTarDecoder({ strict: true }))) {
    entries += 1
    if (entries > maxEntries) throw invalid(`The archive has more than ${maxEntries} entries.`)
    const name = header.name.replace(/^(?:\.\/)+/, '')
    if (!isWanted(header, name)) {
      await body.cancel()
      continue
    }
    if (files.has(name)) throw invalid(`The archive holds ${JSON.stringify(name.slice(0, 80))} twice.`)
    checkFilesCount(files.size + 1, limits)
    checkTotalFilesBytes((totalBytes += header.size), limits)
    files.set(name, new Uint8Array(await new Response(body).arrayBuffer()))
  }
  return files
}

/** @throws RequestFault for a link or a device. */
function isWanted({ type }: ParsedTarEntry['header'], name: string): boolean {
  if (type === 'directory') return false
  if (type !== 'file') throw invalid(`The archive holds ${JSON.stringify(name.slice(0, 80))}, which is no plain file.`)
  return !name.split('/').some((part) => part.startsWith('.') && part !== '..')
}

function invalid(message: string, cause?: unknown): RequestFault {
  return new RequestFault(message, { status: 400, code: 'invalid_request', cause })
}
