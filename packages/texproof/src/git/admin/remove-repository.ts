import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import path from 'node:path'

import { isAbsent } from '../../base/absent.ts'
import { syncFolder } from '../../base/durable-file.ts'
import { repositoryPath, trashFolder } from './repository-path.ts'

/** Removes a repository: renames it away, then deletes it. Does nothing if there is none. */
export async function removeRepository(root: string, repositoryId: number): Promise<void> {
  const gitDir = repositoryPath(root, repositoryId)
  const trash = path.join(trashFolder(root), `${repositoryId}-${randomBytes(8).toString('hex')}`)
  try {
    await rename(gitDir, trash)
  } catch (error) {
    if (isAbsent(error)) return
    throw new Error(`remove repository ${repositoryId}`, { cause: error })
  }
  await syncFolder(path.dirname(gitDir))
  await rm(trash, { recursive: true, force: true })
}
