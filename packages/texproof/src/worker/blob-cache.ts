/**
 * Contents of files on the disk of a worker, by their id in git, which is their hash. Every content is verified when it is
 * read, so the folder can be shared, cut off or deleted at any time.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import type { Logger } from 'pino'

import { whenAbsent } from '../base/absent.ts'

export interface BlobCache {
  /** Null if it is absent or damaged. */
  find(blobId: string): Promise<Uint8Array | null>
  /** Does nothing if it cannot be written, for example to a full disk. @throws Error if the content does not belong to the id. */
  add(blobId: string, bytes: Uint8Array): Promise<void>
}

/** Opens the cache in a folder, which is created. It removes what was not used for the longest time. */
export async function openBlobCache(
  folder: string,
  { maxBytes, log }: { readonly maxBytes: number; readonly log: Pick<Logger, 'warn'> },
): Promise<BlobCache> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const pathOf = (blobId: string): string => join(folder, blobId.slice(0, 2), blobId.slice(2))
  /** Least recently used first. */
  const sizes = new Map<string, number>()
  let totalBytes = 0
  let isWritable = true
  for (const { blobId, sizeBytes } of await scanFolder(folder)) note(blobId, sizeBytes)
  await evict()

  function note(blobId: string, sizeBytes: number): void {
    totalBytes += sizeBytes - (sizes.get(blobId) ?? 0)
    sizes.delete(blobId)
    sizes.set(blobId, sizeBytes)
  }

  async function evict(): Promise<void> {
    for (const [blobId, sizeBytes] of sizes) {
      if (totalBytes <= maxBytes) return
      sizes.delete(blobId)
      totalBytes -= sizeBytes
      await rm(pathOf(blobId), { force: true })
    }
  }

  return {
    async find(blobId) {
      const path = pathOf(blobId)
      const bytes = await readFile(path).catch(whenAbsent(null))
      if (bytes === null || hashBlob(bytes, blobId) !== blobId) return null
      note(blobId, bytes.byteLength)
      const now = new Date()
      // Another worker of the same folder may have removed it, or the folder is read-only.
      await utimes(path, now, now).catch(() => {})
      return bytes
    },

    async add(blobId, bytes) {
      if (hashBlob(bytes, blobId) !== blobId)
        throw new Error(`the content that the server sent does not match ${blobId}`)
      try {
        await writeWhole(pathOf(blobId), bytes)
        note(blobId, bytes.byteLength)
        await evict()
        isWritable = true
      } catch (error) {
        if (isWritable) log.warn({ err: error }, 'sources cannot be cached')
        isWritable = false
      }
    },
  }
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(draft, bytes)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}

/** The id that git gives a content; the length of the wanted id tells the hash. */
function hashBlob(bytes: Uint8Array, wantedId: string): string {
  return createHash(wantedId.length === 64 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.byteLength}\0`)
    .update(bytes)
    .digest('hex')
}

async function scanFolder(folder: string) {
  const found: { readonly blobId: string; readonly sizeBytes: number; readonly usedAt: number }[] = []
  for (const start of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(start)) continue
    for (const rest of await readdir(join(folder, start))) {
      const path = join(folder, start, rest)
      const entry = await stat(path).catch(whenAbsent(null))
      if (entry === null) continue
      // A worker that was killed while it wrote left it.
      if (!/^[0-9a-f]+$/.test(rest)) await rm(path, { force: true })
      else found.push({ blobId: start + rest, sizeBytes: entry.size, usedAt: entry.mtimeMs })
    }
  }
  return found.toSorted((left, right) => left.usedAt - right.usedAt)
}
