import { posix } from 'node:path'
import { toWorkspacePath } from './job-paths.ts'

/** The recorder file (`.fls`) of one pass: every file that TeX opened. */
export interface Recorder {
  /** Working directory of the engine, absolute; null if the file has no `PWD` line. */
  readonly workingDir: string | null
  /** Names as TeX wrote them, without duplicates, in order of first appearance. */
  readonly names: readonly string[]
  /** Workspace files that were read, workspace-relative. */
  readonly inputs: ReadonlySet<string>
  /**
   * The ones that were read before the pass wrote them, if at all: the pass read the version of the pass before.
   */
  readonly needed: ReadonlySet<string>
  /** Workspace files that were written, workspace-relative. */
  readonly outputs: ReadonlySet<string>
}

/** LuaTeX can write millions of lines here. A large book has a few thousand names. */
const MAX_NAMES = 20_000
const MAX_NAME_LENGTH = 1_000

/** Used if no pass was recorded, or its recorder file cannot be read. */
export const NO_RECORDER: Recorder = {
  workingDir: null,
  names: [],
  inputs: new Set(),
  needed: new Set(),
  outputs: new Set(),
}

/** Parses a recorder file. Invalid lines and names beyond the limits are skipped. */
export function readRecorder(text: string, folder: string): Recorder {
  const seen = new Set<string>()
  const names = new Set<string>()
  const inputs = new Set<string>()
  const needed = new Set<string>()
  const outputs = new Set<string>()
  let workingDir: string | null = null
  for (const line of eachLine(text)) {
    // A file that is read again adds nothing, and most lines of a long record repeat earlier ones.
    if (seen.has(line) || line.length > MAX_NAME_LENGTH) continue
    if (seen.size >= MAX_NAMES) break
    seen.add(line)
    const space = line.indexOf(' ')
    const word = line.slice(0, space)
    const name = line.slice(space + 1)
    if (word === 'PWD') workingDir ??= name
    if (word !== 'INPUT' && word !== 'OUTPUT') continue
    names.add(name)
    const path = inWorkspace(name, { folder, workingDir })
    if (path === null) continue
    if (word === 'OUTPUT') {
      outputs.add(path)
      continue
    }
    inputs.add(path)
    if (!outputs.has(path)) needed.add(path)
  }
  return { workingDir, names: [...names], inputs, needed, outputs }
}

/** Iterates over lines, so that long texts need no array of lines. */
function* eachLine(text: string): Iterable<string> {
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    yield text.slice(start, end)
    start = end + 1
  }
  yield text.slice(start)
}

function inWorkspace(name: string, place: { folder: string; workingDir: string | null }): string | null {
  if (!posix.isAbsolute(name)) return toWorkspacePath(name, place.folder)
  if (place.workingDir === null) return null
  return toWorkspacePath(posix.relative(place.workingDir, name), place.folder)
}
