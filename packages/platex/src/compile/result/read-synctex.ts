import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { transferring } from '../../worker/serve-tasks.ts'
import { toWorkspacePath } from '../job-paths.ts'
import { viewWorkspace, type WorkspacePlace, type WorkspaceView } from '../workspace-view.ts'

/** SyncTeX data with file names that are relative to the workspace. */
export interface SynctexData {
  /** Null if there is none. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
}

/** The document controls this file, and a small one can unpack to any size. For a thesis, it has a few MiB. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024
/** More files than TeX opens for one document. */
const MAX_INPUTS = 100_000
const INPUT = 'Input:'
const NEWLINE = 10
/** Maximum length of a line with a file name; longer lines are not changed. */
const MAX_INPUT_LENGTH = 4_120

/** Reads SyncTeX data and makes its file names relative to the workspace. */
export async function readSynctex(request: SynctexRequest): Promise<SynctexData> {
  const { bytes } = await readRelativeSynctex(request)
  return transferring({ bytes }, bytes === null ? [] : [bytes.buffer])
}

export interface SynctexRequest {
  readonly place: WorkspacePlace
  /** Working directory of the engine, absolute; null if unknown. */
  readonly workingDir: string | null
}

/** Like `readSynctex`, on the same thread. */
export async function readRelativeSynctex({ place, workingDir: recordedDir }: SynctexRequest): Promise<SynctexData> {
  const workspace = viewWorkspace(place)
  const bytes = (await workspace.read(workspace.outputPath('synctex'))) ?? (await readPacked(workspace))
  if (bytes === null) return { bytes: null }
  const inputs = listInputs(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  // The first file is the root file, in the working directory of the engine.
  const workingDir = recordedDir ?? posix.dirname(inputs.find(({ name }) => name.startsWith('/'))?.name ?? '/')
  const parts: Uint8Array[] = []
  let copied = 0
  for (const { start, end, name } of inputs) {
    const path = toWorkspacePath(posix.isAbsolute(name) ? posix.relative(workingDir, name) : name, workspace.folder)
    if (path === null) continue
    parts.push(bytes.subarray(copied, start), Buffer.from(path, 'latin1'))
    copied = end
  }
  // A separate buffer can be transferred to another thread.
  return { bytes: new Uint8Array(Buffer.concat([...parts, bytes.subarray(copied)])) }
}

/** A file name in the data, and its place. */
interface InputName {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** The names of lines such as `Input:1:/w/main.tex`. The data of a book has 9 MB, so it is searched as bytes. */
function listInputs(bytes: Buffer): readonly InputName[] {
  const inputs: InputName[] = []
  for (let at = bytes.indexOf(INPUT); at !== -1 && inputs.length < MAX_INPUTS; at = bytes.indexOf(INPUT, at + 1)) {
    if (at > 0 && bytes[at - 1] !== NEWLINE) continue
    const head = bytes.toString('latin1', at, at + MAX_INPUT_LENGTH)
    const [, tag = '', name = ''] = /^(Input:\d{1,9}:)(.{1,4096})$/m.exec(head.split('\n', 1)[0] ?? '') ?? []
    const start = at + tag.length
    if (name !== '') inputs.push({ start, end: start + name.length, name })
  }
  return inputs
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
