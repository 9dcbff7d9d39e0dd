import { createTarDecoder, type ParsedTarEntry } from 'modern-tar'
import { gunzipSync } from 'node:zlib'

import { ArchiveRefused, importLimits, type ArchiveEntry } from './archive-limits.ts'

/** Size of headers, long names and padding of one entry. */
const ENTRY_OVERHEAD_BYTES = 4_096

/** Whether the bytes begin like a file compressed with gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Whether the bytes begin like a tar archive. */
export function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString('latin1') === 'ustar'
}

/**
 * Decompresses gzip, up to the limits of an import.
 *
 * @throws ArchiveRefused
 */
export function gunzipBounded(bytes: Uint8Array): Uint8Array {
  const { unpackedBytes, entries } = importLimits
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedBytes + entries * ENTRY_OVERHEAD_BYTES })
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new ArchiveRefused(
      isTooLong
        ? `The archive unpacks to more than ${unpackedBytes / 1e6} MB. Remove what the document does not need.`
        : 'The gzip file is damaged. Create it again, or download it again.',
    )
  }
}

/**
 * Lists the entries of a tar archive.
 *
 * @throws ArchiveRefused
 */
export async function readTar(tar: Uint8Array): Promise<readonly ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  try {
    const stream = new Blob([new Uint8Array(tar)]).stream().pipeThrough(createTarDecoder({ strict: true }))
    for await (const { header, body } of stream) {
      // One more than the limit suffices to refuse the archive.
      if (entries.length > importLimits.entries) break
      const kind = readKind(header.type)
      const bytes = new Uint8Array(await new Response(body).arrayBuffer())
      entries.push({ name: header.name, kind, size: bytes.length, unpack: () => bytes })
    }
  } catch {
    // The library throws only for invalid archives.
    throw new ArchiveRefused('The tar file is damaged. Create it again, or download it again.')
  }
  return entries
}

function readKind(type: ParsedTarEntry['header']['type']): ArchiveEntry['kind'] {
  if (type === 'file') return 'file'
  if (type === 'directory') return 'folder'
  return type === 'symlink' || type === 'link' ? 'link' : 'device'
}
