import { createHash } from 'node:crypto'
import { appendFile, open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

import { createTarPacker } from 'modern-tar'

import { sumsEntry } from './backup-entries.ts'
import type { ObjectCheck } from './object-check.ts'

/** Writes the entries of a backup, one after another, and records their hashes. */
export interface EntryWriter {
  addText(name: string, text: string | Uint8Array): Promise<void>
  /** `check` receives the content of a file that is written. */
  addFile(name: string, path: string, check?: ObjectCheck): Promise<AddedFile>
  /** Adds the list of hashes and ends the backup. Everything is written then, but not necessarily synced. */
  end(): Promise<void>
  /** Stops before the end. */
  abort(): Promise<void>
  /** Bytes written so far. */
  readonly sizeBytes: number
}

/**
 * `damaged` = written, but its check failed. `shared` = an earlier backup has it undamaged, and it was not read. `absent` =
 * there is no such file.
 */
export type AddedFile = 'written' | 'damaged' | 'shared' | 'absent'

/** Hashes are stored in a file until the end, because a backup may have a million entries. */
interface TarWriterOptions {
  /** A file for the hashes, which does not exist yet. */
  readonly sumsPath: string
  /** Time of every entry, epoch milliseconds. */
  readonly createdAt: number
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes written so far. */
  readonly onWritten?: (sizeBytes: number) => void
}

const chunkBytes = 256 * 1024

/** Creates the writer of one file, which stays open after the end. */
export function openTarWriter(file: FileHandle, options: TarWriterOptions): EntryWriter {
  const { sumsPath, createdAt, signal, onWritten } = options
  const { readable, controller } = createTarPacker()
  let sizeBytes = 0
  const written = writeAll()
  written.catch(() => {}) // `addText`, `addFile` and `end` report the error.

  async function writeAll(): Promise<void> {
    for await (const chunk of readable) {
      for (let start = 0; start < chunk.byteLength;)
        start += (await file.write(chunk, start, chunk.byteLength - start)).bytesWritten
      sizeBytes += chunk.byteLength
      onWritten?.(sizeBytes)
    }
  }

  async function addEntry(
    name: string,
    size: number,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    check?: Pick<ObjectCheck, 'update'>,
  ): Promise<string> {
    const hash = createHash('sha256')
    try {
      const body = controller.add({ name, size, mode: 0o600, mtime: new Date(createdAt), type: 'file' }).getWriter()
      for await (const chunk of chunks) {
        signal?.throwIfAborted()
        hash.update(chunk)
        await check?.update(chunk)
        await body.write(chunk)
      }
      await body.close()
    } catch (error) {
      controller.error(error)
      await written // an error of the writer is the actual reason
      throw error
    }
    return hash.digest('hex')
  }

  async function addSummed(
    name: string,
    size: number,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    check?: Pick<ObjectCheck, 'update'>,
  ): Promise<void> {
    await appendFile(sumsPath, `${await addEntry(name, size, chunks, check)}  ${name}\n`)
  }

  return {
    get sizeBytes() {
      return sizeBytes
    },
    addText(name, text) {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text
      return addSummed(name, bytes.byteLength, [bytes])
    },
    async addFile(name, path, check) {
      if (!(await withOpenFile(path, (size, chunks) => addSummed(name, size, chunks, check)))) return 'absent'
      return (await check?.isSound()) === false ? 'damaged' : 'written'
    },
    async end() {
      await withOpenFile(sumsPath, (size, chunks) => addEntry(sumsEntry, size, chunks))
      controller.finalize()
      await written
    },
    async abort() {
      controller.error(new Error('stopped'))
      await written.catch(() => {}) // the error is expected
    },
  }
}

/**
 * Reads as many bytes as a file has when it is opened: it may be removed or appended to in the meantime. False if it is
 * absent.
 */
export async function withOpenFile(
  path: string,
  use: (size: number, chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) => Promise<unknown>,
): Promise<boolean> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (file === null) return false
  try {
    const { size } = await file.stat()
    const range = { start: 0, end: size - 1, highWaterMark: chunkBytes, autoClose: false }
    await use(size, size === 0 ? [] : file.createReadStream(range))
    return true
  } finally {
    await file.close()
  }
}
