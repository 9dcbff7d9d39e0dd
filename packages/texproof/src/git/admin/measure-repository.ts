import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How many files are looked at side by side. */
const FILES_AT_ONCE = 64

/** Bytes of the files of a git directory; what goes away meanwhile counts nothing, and so does a missing directory. */
export async function measureRepository(gitDir: string): Promise<number> {
  // Absent or removed meanwhile: it takes no space.
  const entries = await readdir(gitDir, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  let bytes = 0
  for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
    const sizes = await Promise.all(paths.slice(start, start + FILES_AT_ONCE).map(sizeOf))
    bytes += sizes.reduce((sum, size) => sum + size, 0)
  }
  return bytes
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
