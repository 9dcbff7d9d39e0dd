import { readdir } from 'node:fs/promises'
import path from 'node:path'

import { whenAbsent } from '../../base/absent.ts'

/** Whether there is a repository on disk below `root`, the root of all repositories. */
export async function hasRepositories(root: string): Promise<boolean> {
  const folders = (await readdir(root).catch(whenAbsent([]))).filter((name) => /^[0-9a-f]{2}$/.test(name))
  for (const name of folders) if ((await readdir(path.join(root, name)).catch(whenAbsent([]))).length > 0) return true
  return false
}
