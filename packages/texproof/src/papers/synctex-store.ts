/**
 * SyncTeX files beside the PDFs they belong to, packed. The name holds the tree too: two trees may give the same PDF
 * from different lines. They can be made again, so a file that cannot be read is a file that is not there.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createGunzip, gzip } from 'node:zlib'

import { LRUCache } from 'lru-cache'

import type { Build } from '../domain/build.ts'
import { createSynctexReader } from '../domain/synctex/create-synctex-reader.ts'
import type { SynctexIndex } from '../domain/synctex/types.ts'

/** Whose it is; builds with the same PDF of the same tree share it. */
export type SynctexKey = Pick<Build, 'pdfId' | 'treeId'>

export interface SynctexStore {
  add(key: SynctexKey, synctex: Uint8Array): Promise<void>
  /** Read and ready to be asked; null when there is none. */
  find(key: SynctexKey): Promise<SynctexIndex | null>
}

/** More of it, unpacked, is not read. */
const MAX_BYTES = 256 * 1024 * 1024
const MAX_CACHED_BYTES = 96 * 1024 * 1024
const BYTES_PER_RECORD = 36

const pack = promisify(gzip)

/** Opens the store in the folder of the PDFs. */
export function createSynctexStore(rootDir: string): SynctexStore {
  const indexes = new LRUCache<string, SynctexIndex>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ boxes, marks }) => 1024 + (boxes.count + marks.count) * BYTES_PER_RECORD,
  })
  const readings = new Map<string, Promise<SynctexIndex | null>>()
  const pathOf = ({ pdfId, treeId }: SynctexKey): string | null =>
    pdfId === null || !/^[0-9a-f]{64}$/.test(pdfId)
      ? null
      : join(rootDir, pdfId.slice(0, 2), `${pdfId}.${treeId}.synctex.gz`)

  async function read(path: string): Promise<SynctexIndex | null> {
    const index = await readIndex(path)
    if (index !== null) indexes.set(path, index)
    return index
  }

  return {
    async add(key, synctex) {
      const path = pathOf(key)
      if (path !== null) await write(path, await pack(synctex))
    },

    async find(key) {
      const path = pathOf(key)
      if (path === null) return null
      const known = indexes.get(path) ?? readings.get(path)
      if (known !== undefined) return known
      const reading = read(path).finally(() => readings.delete(path))
      readings.set(path, reading)
      return reading
    },
  }
}

/** In pieces, so that nobody else waits while a long one is read. */
async function readIndex(path: string): Promise<SynctexIndex | null> {
  try {
    await access(path)
    const reader = createSynctexReader()
    let sizeBytes = 0
    const pieces = createReadStream(path).pipe(createGunzip())
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      sizeBytes += piece.byteLength
      if (sizeBytes > MAX_BYTES) break
      reader.push(piece.toString('latin1'))
    }
    return reader.finish()
  } catch {
    return null // absent or damaged: nobody knows where the lines came from
  }
}

async function write(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, bytes, { flag: 'wx' })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
