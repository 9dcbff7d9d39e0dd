import { posix } from 'node:path'
import type { EngineRun } from './run.ts'
import type { Workspace } from './workspace.ts'
import { latin1 } from './canonical-digest.ts'
import { toWorkspacePath } from './job-paths.ts'

/** SyncTeX data with the workspace's own place taken out of its file names; null when there is none. */
export async function readSynctex(workspace: Workspace, pass: EngineRun): Promise<Uint8Array | null> {
  const bytes = await workspace.read(workspace.outputPath('synctex'))
  const workingDir = pass.recorder.workingDir
  if (bytes === null || workingDir === null) return null
  const rewritten = latin1(bytes).replace(/^(Input:\d+:)(.+)$/gm, (line, tag: string, name: string) => {
    const path = toWorkspacePath(posix.isAbsolute(name) ? posix.relative(workingDir, name) : name, workspace.folder)
    return path === null ? line : tag + path
  })
  return Buffer.from(rewritten, 'latin1')
}
