import { open, type FileHandle } from 'node:fs/promises'

/** Writes a new file and returns when its bytes are on the disk; fails when the file exists. */
export async function writeDurably(path: string, bytes: Uint8Array | string): Promise<void> {
  await withFile(await open(path, 'wx', 0o600), async (file) => {
    await file.writeFile(bytes)
    await file.sync()
  })
}

/** Returns when the names in a folder (its files made, renamed or removed) are on the disk. */
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
