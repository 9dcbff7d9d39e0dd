import { constants, type Stats } from 'node:fs'
import { lstat, open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Reads one file that a compile left in its workspace, following nothing.
 *
 * A document may leave a link to a host file, a second name of one, a FIFO that would block for ever or a folder where
 * its PDF is expected: all of them read as null, as does an absent file, an unreadable one and one over `maxBytes`.
 *
 * @throws Error when the machine, not the document, is the reason.
 */
export function readResult(workspaceDir: string, name: string, maxBytes: number): Promise<Uint8Array | null> {
  return withResult(workspaceDir, name, (file, size) => (size <= maxBytes ? readRange(file, 0, size) : null))
}

/** Beginning and end of a file; `tail` is empty where `head` is all of it. */
export interface FileEnds {
  readonly head: Uint8Array
  readonly tail: Uint8Array
  readonly sizeBytes: number
}

/** Reads the beginning and the end of a result under the same rules, and skips what is between them. */
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
  read: (file: FileHandle, size: number) => Promise<T> | null,
): Promise<T | null> {
  const parts = name.split('/')
  if (parts.some((part) => part === '' || part === '.' || part === '..') || name.includes('\0')) return null
  if (!(await areFolders(workspaceDir, parts.slice(0, -1)))) return null
  // NONBLOCK: opening a FIFO for reading would otherwise wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  // Absent, a link or unreadable: no result.
  const file = await open(join(workspaceDir, ...parts), flags).catch(unlessOwnFault)
  if (file === null) return null
  try {
    const found = await file.stat()
    return isPlainFile(found) ? await read(file, found.size) : null
  } finally {
    await file.close()
  }
}

/** Nothing runs in the workspace any more, so a folder that is no link now stays one. */
async function areFolders(workspaceDir: string, parents: readonly string[]): Promise<boolean> {
  for (const index of parents.keys()) {
    // Absent: no result.
    const found = await lstat(join(workspaceDir, ...parents.slice(0, index + 1))).catch(unlessOwnFault)
    if (found === null || !found.isDirectory()) return false
  }
  return true
}

/** What a document leaves behind is no result when it cannot be read, but a host short of descriptors, or a bad disk, says nothing about it. */
function unlessOwnFault(error: NodeJS.ErrnoException): null {
  if (['EMFILE', 'ENFILE', 'ENOMEM', 'EIO'].includes(error.code ?? '')) throw error
  return null
}

function isPlainFile(found: Stats): boolean {
  return found.isFile() && found.nlink === 1
}

async function readRange(file: FileHandle, start: number, size: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  let filled = 0
  while (filled < size) {
    const { bytesRead } = await file.read(bytes, filled, size - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
