import { digestOf } from '../canonical-digest.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** One digest of all files, including absent ones, and the paths of those that exist in the workspace. */
export async function digestFiles(
  workspace: WorkspaceView,
  paths: readonly string[],
): Promise<{ digest: string; found: readonly string[] }> {
  const found: string[] = []
  const parts: string[] = []
  for (const path of paths) {
    const bytes = await workspace.read(path)
    parts.push(`${path} ${bytes === null ? 'absent' : digestOf(bytes)}`)
    if (bytes !== null) found.push(path)
  }
  return { digest: digestOf(parts.join('\n')), found }
}
