/**
 * Several files as one body: the length of a JSON list, the list with path, size and SHA-256 of each file, then the
 * contents. Unlike tar, it needs no limits for links, long names and padding, and every file is verified.
 */
import { createHash } from 'node:crypto'

interface Entry {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

const LENGTH_BYTES = 4

/** A body that does not match its list. */
export class InvalidBundle extends Error {
  override readonly name = 'InvalidBundle'
  readonly code = 'INVALID_BUNDLE'
}

/** Joins files to one body. */
export function packBundle(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer> {
  const entries = [...files].map(([path, bytes]): Entry => ({
    path,
    sizeBytes: bytes.byteLength,
    sha256: sha256(bytes),
  }))
  const list = Buffer.from(JSON.stringify(entries))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(list.byteLength)
  return new Uint8Array(Buffer.concat([length, list, ...files.values()]))
}

/**
 * Splits a body into its files, which share its memory.
 *
 * @throws InvalidBundle if it is cut off, damaged, or has a path that leaves the folder.
 */
export function unpackBundle(body: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  if (view.byteLength < LENGTH_BYTES) throw new InvalidBundle('the bundle is empty')
  let at = LENGTH_BYTES + view.readUInt32BE()
  if (at > view.byteLength) throw new InvalidBundle('the bundle is cut off')
  const files = new Map<string, Uint8Array>()
  for (const { path, sizeBytes, sha256: digest } of parseList(view.toString('utf8', LENGTH_BYTES, at))) {
    const bytes = body.subarray(at, at + sizeBytes)
    if (sha256(bytes) !== digest) throw new InvalidBundle(`${path} in the bundle is damaged`)
    files.set(path, bytes)
    at += sizeBytes
  }
  if (at !== view.byteLength) throw new InvalidBundle('the bundle has bytes that its list does not contain')
  return files
}

function parseList(text: string): readonly Entry[] {
  const list = parseJson(text)
  if (!Array.isArray(list)) throw new InvalidBundle('the bundle has no list')
  return list.map((entry: unknown) => {
    if (!isEntry(entry)) throw new InvalidBundle('the list of the bundle is invalid')
    return entry
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InvalidBundle('the list of the bundle is not valid JSON', { cause: error })
  }
}

function isEntry(entry: unknown): entry is Entry {
  if (typeof entry !== 'object' || entry === null) return false
  const { path, sizeBytes, sha256: digest }: Partial<Record<string, unknown>> = { ...entry }
  return (
    typeof path === 'string' &&
    isInside(path) &&
    typeof sizeBytes === 'number' &&
    Number.isSafeInteger(sizeBytes) &&
    sizeBytes >= 0 &&
    typeof digest === 'string'
  )
}

function isInside(path: string): boolean {
  return path.length <= 4_096 && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
