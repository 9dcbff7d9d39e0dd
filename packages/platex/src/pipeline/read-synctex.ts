import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { EngineRun } from './run.ts'
import type { Workspace } from './workspace.ts'
import { latin1 } from './canonical-digest.ts'
import { toWorkspacePath } from './job-paths.ts'

/** SyncTeX data with the workspace's own place taken out of its file names; null when there is none. */
export async function readSynctex(workspace: Workspace, pass: EngineRun): Promise<Uint8Array | null> {
  const bytes = (await workspace.read(workspace.outputPath('synctex'))) ?? (await readPacked(workspace))
  if (bytes === null) return null
  const text = latin1(bytes)
  // The first file of all is the root document, in the folder that the engine worked in.
  const workingDir = pass.recorder.workingDir ?? posix.dirname(/^Input:\d+:(\/.+)$/m.exec(text)?.[1] ?? '/')
  const rewritten = text.replace(/^(Input:\d+:)(.+)$/gm, (line, tag: string, name: string) => {
    const path = toWorkspacePath(posix.isAbsolute(name) ? posix.relative(workingDir, name) : name, workspace.folder)
    return path === null ? line : tag + path
  })
  return Buffer.from(rewritten, 'latin1')
}

/** Unpacked at most: a document writes this file, and a small one can unpack to anything. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

async function readPacked(workspace: Workspace): Promise<Uint8Array | null> {
  const packed = await workspace.read(workspace.outputPath('synctex.gz'))
  if (packed === null) return null
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: MAX_UNPACKED_BYTES })
  } catch {
    return null // Cut off, or too large to be of use.
  }
}
