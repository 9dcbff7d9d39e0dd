/** Copies what a bucket keeps for a host, between the cache folder and the bucket, and verifies it. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { whenAbsent } from '../../base/absent.ts'
import { downloadObject } from '../../bucket/download-object.ts'
import { openBucket, type Bucket } from '../../bucket/open-bucket.ts'
import type { BucketAddress } from '../../config/parse-bucket-url.ts'
import { listCachedFiles } from '../../papers/cache/evict-cache.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'

/** The folders of the cache that a bucket keeps. */
const FOLDERS = ['pdf', 'builds/logs', 'builds/synctex']
const NAME = /^(?:pdf|builds\/(?:logs|synctex))(?:\/[A-Za-z0-9][\w.-]*)+$/
const CONCURRENCY = 4

/** Copied blobs. */
export interface MovedBlobs {
  readonly url: string
  /** Files at both places now. */
  readonly fileCount: number
  /** Files that were copied by this run. */
  readonly copiedCount: number
}

interface MoveBlobsOptions {
  readonly dataDir: string
  readonly address: BucketAddress
  /** Called after each file. */
  readonly onFile: (doneCount: number, ofCount: number) => void
}

/** Uploads every file that the bucket does not have with the same size, and reads each upload back. */
export async function moveToBucket({ dataDir, address, onFile }: MoveBlobsOptions): Promise<MovedBlobs> {
  const bucket = await openUsable(address)
  const cacheDir = join(dataDir, 'cache')
  const files = (await Promise.all(FOLDERS.map((folder) => listCachedFiles(join(cacheDir, folder))))).flat()
  return copyEach(bucket, files, onFile, async ({ path, sizeBytes }) => {
    const name = relative(cacheDir, path)
    if ((await bucket.measure(name)) === sizeBytes) return false
    const bytes = await readFile(path).catch(whenAbsent(null))
    if (bytes === null) return false // removed in the meantime
    await bucket.put(name, bytes)
    const copy = await bucket.read(name)
    if (copy === null || (await hashStream(copy)) !== createHash('sha256').update(bytes).digest('hex'))
      throw new CliError(`${bucket.url}${name} differs from ${path}`, {
        exitCode: exitCodes.failed,
        remedy: 'The bucket accepted the file but did not store it correctly. Nothing was removed.',
      })
    return true
  })
}

/** Downloads every file that the cache folder does not have, and PDFs that are damaged there. */
export async function moveToDisk({ dataDir, address, onFile }: MoveBlobsOptions): Promise<MovedBlobs> {
  const bucket = await openUsable(address)
  const names = (await bucket.list('')).filter((name) => NAME.test(name))
  return copyEach(bucket, names, onFile, async (name) => {
    const path = join(dataDir, 'cache', name)
    if (await isIntact(path)) return false
    return downloadObject(bucket, { name, path })
  })
}

/** Whether a file exists, and its content matches the SHA-256 in its name, if the name has one, as PDFs do. */
async function isIntact(path: string): Promise<boolean> {
  if ((await stat(path).catch(whenAbsent(null))) === null) return false
  const expected = /([0-9a-f]{64})\.pdf$/.exec(path)?.[1]
  return expected === undefined || (await hashStream(createReadStream(path))) === expected
}

/** `copy` resolves to whether it copied anything. */
async function copyEach<Item>(
  { url }: Bucket,
  items: readonly Item[],
  onFile: MoveBlobsOptions['onFile'],
  copy: (item: Item) => Promise<boolean>,
): Promise<MovedBlobs> {
  const next = items[Symbol.iterator]()
  let doneCount = 0
  let copiedCount = 0
  const work = async (): Promise<void> => {
    for (const item of next) {
      if (await copy(item)) copiedCount += 1
      doneCount += 1
      onFile(doneCount, items.length)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return { url, fileCount: items.length, copiedCount }
}

async function openUsable(address: BucketAddress): Promise<Bucket> {
  const bucket = openBucket(address)
  if (await bucket.check()) return bucket
  throw new CliError(`${bucket.url}: no such bucket, or access is denied`, {
    exitCode: exitCodes.failed,
    remedy: 'Create the bucket, and check key and secret.',
  })
}

async function hashStream(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(bytes, hash)
  return hash.digest('hex')
}
