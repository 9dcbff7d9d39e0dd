import { posix } from 'node:path'
import { toWorkspacePath } from './job-paths.ts'
import type { Workspace } from './workspace.ts'

/**
 * Makes the folder that TeX could not write to, when that is what stopped it; true when the pass is worth repeating.
 */
export async function mendMissingFolder(logText: string, workspace: Workspace): Promise<boolean> {
  const name = /I can't write on file `([^'\n]+)'/.exec(logText)?.[1]
  const path = name === undefined ? null : toWorkspacePath(name, workspace.folder)
  const folder = path === null ? '.' : posix.dirname(path)
  if (folder === '.' || folder.split('/').some((part) => part.startsWith('.'))) return false
  return workspace.makeFolder(folder)
}
