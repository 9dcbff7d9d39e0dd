import { closeSync, constants, fstatSync, lstatSync, openSync, read as readFrom, readSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const readLater = promisify(readFrom)
/** Fewer bytes are read at once: TeX has just written them, and four promises for each file take many times as long. */
const READ_AT_ONCE_BYTES = 1024 * 1024

/**
 * Reads one output file of a compile from its workspace, without following links.
 *
 * A document may leave a symbolic or hard link to a host file, a FIFO that would block forever or a folder where its
 * PDF is expected: these return null, as do missing and unreadable files and those over `maxBytes`.
 *
 * @throws Error if the machine, rather than the document, is the reason.
 */
export function readResult(workspaceDir: string, name: string, maxBytes: number): Promise<Uint8Array | null> {
  return withResult(workspaceDir, name, (file, size) => (size <= maxBytes ? readRange(file, 0, size) : null))
}

/** Beginning and end of a file; `tail` is empty if `head` is all of it. */
export interface FileEnds {
  readonly head: Uint8Array
  readonly tail: Uint8Array
  readonly sizeBytes: number
}

/** Reads the beginning and the end of a result under the same rules. */
export function readResultEnds(
  workspaceDir: string,
  name: string,
  { headBytes, tailBytes }: { headBytes: number; tailBytes: number },
): Promise<FileEnds | null> {
  return withResult(workspaceDir, name, async (file, sizeBytes) => {
    const isWhole = sizeBytes <= headBytes + tailBytes
    return {
      head: await readRange(file, 0, isWhole ? sizeBytes : headBytes),
      tail: isWhole ? new Uint8Array() : await readRange(file, sizeBytes - tailBytes, tailBytes),
      sizeBytes,
    }
  })
}

async function withResult<T>(
  workspaceDir: string,
  name: string,
  read: (descriptor: number, size: number) => Promise<T> | null,
): Promise<T | null> {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..') || name.includes('\0')) return null
  if (!areFolders(workspaceDir, parts.slice(0, -1))) return null
  // NONBLOCK: opening a FIFO for reading would otherwise wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  // Missing, a link or unreadable: no result.
  const descriptor = unlessOwnFault(() => openSync(join(workspaceDir, ...parts), flags))
  if (descriptor === null) return null
  try {
    const found = fstatSync(descriptor)
    return isPlainFile(found) ? await read(descriptor, found.size) : null
  } finally {
    closeSync(descriptor)
  }
}

/** No program runs in the workspace any more, so the check stays valid. */
function areFolders(workspaceDir: string, parents: readonly string[]): boolean {
  for (const index of parents.keys()) {
    // Absent: no result.
    const found = unlessOwnFault(() => lstatSync(join(workspaceDir, ...parents.slice(0, index + 1))))
    if (found === null || !found.isDirectory()) return false
  }
  return true
}

/** An unreadable output of a document counts as no result, but a lack of descriptors or a disk error is thrown. */
function unlessOwnFault<T>(call: () => T): T | null {
  try {
    return call()
  } catch (error) {
    if (['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return null
  }
}

function isPlainFile(found: Stats): boolean {
  return found.isFile() && found.nlink === 1
}

async function readRange(descriptor: number, start: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let filled = 0
  while (filled < size) {
    const options = { offset: filled, length: size - filled, position: start + filled }
    const bytesRead =
      size <= READ_AT_ONCE_BYTES
        ? readSync(descriptor, bytes, options)
        : (await readLater(descriptor, bytes, filled, size - filled, start + filled)).bytesRead
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
