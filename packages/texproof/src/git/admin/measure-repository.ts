import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** Files that are checked concurrently. */
const FILES_AT_ONCE = 64

/** Bytes of the files of a git directory. Files that disappear in the meantime and a missing directory count as 0. */
export async function measureRepository(gitDir: string): Promise<number> {
  let bytes = 0
  // Folder by folder: a push removes its quarantine in the meantime, which would end a recursive listing.
  const pending = [gitDir]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(whenAbsent([]))
    const pathOf = ({ name }: { readonly name: string }): string => join(folder ?? gitDir, name)
    pending.push(...entries.filter((entry) => entry.isDirectory()).map(pathOf))
    const paths = entries.filter((entry) => entry.isFile()).map(pathOf)
    for (let start = 0; start < paths.length; start += FILES_AT_ONCE) {
      const sizes = await Promise.all(paths.slice(start, start + FILES_AT_ONCE).map(sizeOf))
      bytes += sizes.reduce((sum, size) => sum + size, 0)
    }
  }
  return bytes
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(({ size }) => size, whenAbsent(0))
}
