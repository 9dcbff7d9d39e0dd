import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { transferring } from '../../worker/serve-tasks.ts'
import { latin1 } from '../canonical-digest.ts'
import { toWorkspacePath } from '../job-paths.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from '../workspace-view.ts'

/** SyncTeX data with file names that are relative to the workspace. */
export interface SynctexData {
  /** Null if there is none. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** The document controls this file, and a small one can unpack to any size. That of a thesis has a few MiB. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024
/** More files than TeX opens for one document. */
const MAX_INPUTS = 100_000

/** Reads SyncTeX data and makes its file names relative to the workspace. */
export async function readSynctex({
  place,
  workingDir: recordedDir,
}: {
  readonly place: WorkspacePlace
  /** Working directory of the engine, absolute; null if unknown. */
  readonly workingDir: string | null
}): Promise<SynctexData> {
  const workspace = viewWorkspace(place)
  const bytes = (await workspace.read(workspace.outputPath('synctex'))) ?? (await readPacked(workspace))
  if (bytes === null) return { bytes: null }
  const text = latin1(bytes)
  // The first file is the root document, in the working directory of the engine.
  const workingDir = recordedDir ?? posix.dirname(/^Input:\d+:(\/.+)$/m.exec(text)?.[1] ?? '/')
  let inputs = 0
  const rewritten = text.replace(/^(Input:\d{1,9}:)(.{1,4096})$/gm, (line, tag: string, name: string) => {
    if ((inputs += 1) > MAX_INPUTS) return line
    const path = toWorkspacePath(posix.isAbsolute(name) ? posix.relative(workingDir, name) : name, workspace.folder)
    return path === null ? line : tag + path
  })
  const result = new Uint8Array(Buffer.from(rewritten, 'latin1'))
  return transferring({ bytes: result }, [result.buffer])
}

async function readPacked(workspace: WorkspaceView): Promise<Uint8Array | null> {
  const packed = await workspace.read(workspace.outputPath('synctex.gz'))
  if (packed === null) return null
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    return null // Truncated or too large.
  }
}
