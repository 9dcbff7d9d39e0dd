/**
 * Verifies the files of git objects and PDFs while they are copied: each contains a checksum, or is named after it, and a
 * backup reads every byte in any case. Otherwise, a backup would copy damaged files without reporting them.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import { createInflate } from 'node:zlib'

/** Verifies the content of one file, chunk by chunk. */
export interface ObjectCheck {
  update(chunk: Uint8Array): Promise<void> | void
  /** Result of the check. Call it after the last chunk. */
  isSound(): Promise<boolean>
}

/** Creates the check of a file by its path in the repository; null for files without a checksum. */
export function openObjectCheck(path: string): ObjectCheck | null {
  const [, folder, rest] = /objects\/([0-9a-f]{2})\/([0-9a-f]{38}|[0-9a-f]{62})$/.exec(path) ?? []
  if (folder !== undefined && rest !== undefined) return checkLooseObject(folder + rest)
  const packId = /objects\/pack\/pack-([0-9a-f]+)\.(?:pack|idx)$/.exec(path)?.[1]
  return packId === undefined ? null : checkTrailer(packId.length)
}

/** Creates the check of a PDF, whose name is the SHA-256 of its content (hex). */
export function openPdfCheck(pdfId: string): ObjectCheck {
  const hash = createHash('sha256')
  return { update: (chunk) => void hash.update(chunk), isSound: async () => hash.digest('hex') === pdfId }
}

/** A loose object is compressed; its name is the hash of its uncompressed bytes. */
function checkLooseObject(objectId: string): ObjectCheck {
  const hash = createHash(algorithmOf(objectId.length))
  const inflate = createInflate()
  inflate.on('data', (chunk: Uint8Array) => hash.update(chunk))
  const end = finished(inflate).then(
    () => true,
    () => false, // not in the format of a compressed object
  )
  return {
    async update(chunk) {
      if (!inflate.destroyed && !inflate.write(chunk)) await Promise.race([once(inflate, 'drain'), end])
    },
    async isSound() {
      inflate.end()
      return (await end) && hash.digest('hex') === objectId
    },
  }
}

/** A pack and its index end with the hash of all preceding bytes. */
function checkTrailer(hexLength: number): ObjectCheck {
  const trailerBytes = hexLength / 2
  const hash = createHash(algorithmOf(hexLength))
  let tail = Buffer.alloc(0)
  return {
    update(chunk) {
      const bytes = Buffer.concat([tail, chunk])
      const bodyBytes = Math.max(0, bytes.length - trailerBytes)
      hash.update(bytes.subarray(0, bodyBytes))
      tail = bytes.subarray(bodyBytes)
    },
    isSound: async () => tail.equals(hash.digest()),
  }
}

function algorithmOf(hexLength: number): 'sha1' | 'sha256' {
  return hexLength === 64 ? 'sha256' : 'sha1'
}
