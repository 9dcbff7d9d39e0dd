/**
 * One value in one compressed file of the cache, which can be lost at any time. V8's serialization stores bytes
 * unencoded.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }

/** Serializes and compresses a value for `writeCacheFile`. */
export async function packValue(value: unknown): Promise<Buffer> {
  return compress(serialize(value), QUICK)
}

/** Reads a value; null if the file is absent, damaged, written by another runtime or longer than `maxBytes`. */
export async function readCacheFile(path: string, { maxBytes }: { readonly maxBytes: number }): Promise<unknown> {
  try {
    return deserialize(await decompress(await readFile(path), { maxOutputLength: maxBytes }))
  } catch {
    return null // not in the cache
  }
}

/** Writes a packed value atomically. */
export async function writeCacheFile(path: string, packed: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeFile(draft, packed, { flag: 'wx' })
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
}
