import { randomUUID } from 'node:crypto'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

import { makeFolders } from './make-folders.ts'

/** Writes a new file and syncs it to disk; fails if the file exists. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  await withFile(await open(path, 'wx', 0o600), async (file) => {
    await file.writeFile(bytes)
    await file.sync()
  })
}

/**
 * Creates or replaces a file: after a power failure, it has the old bytes or the new ones; after the return, the new
 * ones.
 */
export async function replaceDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await writeDurably(draft, bytes)
    await rename(draft, path)
  } finally {
    await rm(draft, { force: true })
  }
  await syncFolder(dirname(path))
}

/** Creates a folder with its parents and syncs their names to disk. */
export async function makeFolderDurably(path: string, mode = 0o777): Promise<void> {
  const first = await makeFolders(path, mode)
  if (first === undefined) return
  for (let folder = path; folder !== dirname(first); folder = dirname(folder)) await syncFolder(dirname(folder))
}

/** Syncs the content of a file to disk. */
export async function syncFile(path: string): Promise<void> {
  await withFile(await open(path, 'r'), (file) => file.sync())
}

/** Syncs the names in a folder to disk: files that were created, renamed or removed. */
export async function syncFolder(path: string): Promise<void> {
  await withFile(await open(path, 'r'), (folder) => folder.sync())
}

async function withFile(file: FileHandle, work: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
