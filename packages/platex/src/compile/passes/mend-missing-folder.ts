import { posix } from 'node:path'
import { toWorkspacePath } from '../job-paths.ts'
import type { Workspace } from '../workspace.ts'

/**
 * Makes the folder of a file that TeX could not write, when that is what stopped it; true when the pass is worth
 * repeating.
 */
export async function mendMissingFolder(unwritableFile: string | null, workspace: Workspace): Promise<boolean> {
  const path = unwritableFile === null ? null : toWorkspacePath(unwritableFile, workspace.folder)
  const folder = path === null ? '.' : posix.dirname(path)
  if (folder === '.' || folder.split('/').some((part) => part.startsWith('.'))) return false
  return workspace.makeFolder(folder)
}
