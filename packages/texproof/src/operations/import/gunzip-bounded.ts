import { gunzipSync } from 'node:zlib'

import { ArchiveRefused, importLimits } from './archive-limits.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'

/** Size of headers, long names and padding of one entry. */
const ENTRY_OVERHEAD_BYTES = 4_096

/** Whether the bytes begin like a file compressed with gzip. */
export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
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
        ? `The archive unpacks to more than ${formatBytes(unpackedBytes)}. Remove files that the document does not need.`
        : 'The gzip file is damaged. Create it again, or download it again.',
    )
  }
}
