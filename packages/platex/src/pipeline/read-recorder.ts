import { posix } from 'node:path'
import { toWorkspacePath } from './job-paths.ts'

/** The recorder file (`.fls`) of one pass: every file that TeX opened. */
export interface Recorder {
  /** Working directory as the engine saw it, absolute; null when the file has no `PWD` line. */
  readonly workingDir: string | null
  /** Names as TeX gave them, in order, repeats included. */
  readonly names: readonly string[]
  /** Files of the workspace that were read, workspace-relative. */
  readonly inputs: ReadonlySet<string>
  /** Those of them that were read before the pass wrote them, if it did: what the pass before left is what it got. */
  readonly needed: ReadonlySet<string>
  /** Files of the workspace that were written, workspace-relative. */
  readonly outputs: ReadonlySet<string>
}

/** Reads a recorder file; anything that is no recorder line is skipped. */
export function readRecorder(text: string, folder: string): Recorder {
  const names: string[] = []
  const inputs = new Set<string>()
  const needed = new Set<string>()
  const outputs = new Set<string>()
  let workingDir: string | null = null
  for (const line of text.split('\n')) {
    const space = line.indexOf(' ')
    const word = line.slice(0, space)
    const name = line.slice(space + 1)
    if (word === 'PWD') workingDir ??= name
    if (word !== 'INPUT' && word !== 'OUTPUT') continue
    names.push(name)
    const path = inWorkspace(name, { folder, workingDir })
    if (path === null) continue
    if (word === 'OUTPUT') {
      outputs.add(path)
      continue
    }
    inputs.add(path)
    if (!outputs.has(path)) needed.add(path)
  }
  return { workingDir, names, inputs, needed, outputs }
}

function inWorkspace(name: string, place: { folder: string; workingDir: string | null }): string | null {
  if (!posix.isAbsolute(name)) return toWorkspacePath(name, place.folder)
  if (place.workingDir === null) return null
  return toWorkspacePath(posix.relative(place.workingDir, name), place.folder)
}
