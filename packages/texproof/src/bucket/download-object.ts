import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { makeFolderDurably, syncFile, syncFolder } from '../base/durable-file.ts'
import { BucketUnavailable, type Bucket } from './open-bucket.ts'

/** The content of one object does not match its name. */
export class DamagedObject extends BucketUnavailable {}

/**
 * Writes an object to a file that appears when it is complete; false if there is no such object. If the name ends with
 * a SHA-256, like the names of PDFs, the content must match it.
 *
 * @throws BucketUnavailable, of which DamagedObject is one.
 */
export async function downloadObject(
  bucket: Bucket,
  { name, path }: { readonly name: string; readonly path: string },
): Promise<boolean> {
  const bytes = await bucket.read(name)
  if (bytes === null) return false
  await makeFolderDurably(dirname(path))
  const draft = `${path}.${randomUUID()}.part`
  try {
    const sha256 = await writeStream(bytes, draft)
    const expected = /([0-9a-f]{64})\.pdf$/.exec(name)?.[1] ?? sha256
    if (sha256 !== expected) throw new DamagedObject(`${bucket.url}${name} is damaged: its SHA-256 is ${sha256}`)
    // After a power failure, an empty file with the name of its SHA-256 would be sent forever.
    await syncFile(draft)
    await rename(draft, path)
    await syncFolder(dirname(path))
    return true
  } finally {
    await rm(draft, { force: true })
  }
}

/** Returns the SHA-256 of the content. */
async function writeStream(bytes: AsyncIterable<Uint8Array>, path: string): Promise<string> {
  const hash = createHash('sha256')
  const hashed = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(bytes, hashed, createWriteStream(path, { flags: 'wx' }))
  return hash.digest('hex')
}
