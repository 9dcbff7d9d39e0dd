import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders of system programs; `/usr/sbin` is missing from the PATH of many users. */
const STANDARD_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']

/** Absolute path of an executable in `searchPath` (folders joined by `:`) or in the standard folders; null = none. */
export async function findProgram(name: string, searchPath: string): Promise<string | null> {
  const folders = searchPath.split(':').filter((folder) => folder.startsWith('/'))
  for (const folder of new Set([...folders, ...STANDARD_FOLDERS])) {
    const path = join(folder, name)
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return path
  }
  return null
}
