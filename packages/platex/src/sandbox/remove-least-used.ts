import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Removes the files of a folder and its subfolders that have been unchanged for the longest time until the rest is within the
 * limits. Readers that can write mark a file as used by its time of change.
 */
export async function removeLeastUsed(
  dir: string,
  { maxBytes, maxFiles = Infinity }: { readonly maxBytes: number; readonly maxFiles?: number },
): Promise<void> {
  const names = await readdir(dir, { recursive: true })
  const found = await Promise.all(
    names.map(async (name) => {
      const stats = await stat(join(dir, name)).catch(() => null) // Removed by another process.
      return stats?.isFile() === true ? [{ path: join(dir, name), bytes: stats.size, usedAt: stats.mtimeMs }] : []
    }),
  )
  const files = found.flat().toSorted((a, b) => a.usedAt - b.usedAt)
  let count = files.length
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of files) {
    if (total <= maxBytes && count <= maxFiles) return
    await rm(path, { force: true })
    total -= bytes
    count -= 1
  }
}
