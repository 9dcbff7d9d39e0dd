import type { CompileOutputs, LatexWarning, OutputName } from '../../base/types.ts'
import type { WorkspaceView } from '../workspace-view.ts'

/** Maximum total size of all outputs: documents can write files of any size, and responses are held in memory. */
const MAX_OUTPUTS_BYTES = 16 * 1024 * 1024

export interface ReadOutputs {
  readonly outputs: CompileOutputs
  readonly warnings: readonly LatexWarning[]
}

interface OutputSources {
  readonly workspace: WorkspaceView
  readonly synctex: Uint8Array | null
  /** Files in the workspace that are left of an earlier compile. */
  readonly obsolete: ReadonlySet<string>
}

/**
 * Reads the requested additional files, in the order of their names.
 *
 * A missing or obsolete file is null. A file that exceeds the limit is null, with a warning.
 */
export async function readOutputs(
  names: readonly OutputName[],
  { workspace, synctex, obsolete }: OutputSources,
): Promise<ReadOutputs> {
  const outputs: { [name in OutputName]?: Uint8Array | null } = {}
  const warnings: LatexWarning[] = []
  let remainingBytes = MAX_OUTPUTS_BYTES
  for (const name of names) {
    const path = workspace.outputPath(name)
    if (obsolete.has(path)) {
      outputs[name] = null
      continue
    }
    const sizeBytes = name === 'synctex' ? (synctex?.length ?? 0) : await sizeOf(workspace, path)
    const fits = sizeBytes <= remainingBytes
    if (fits) remainingBytes -= sizeBytes
    else warnings.push(warnOfSize(path, sizeBytes))
    outputs[name] = fits ? (name === 'synctex' ? synctex : await workspace.read(path)) : null
  }
  return { outputs, warnings }
}

async function sizeOf(workspace: WorkspaceView, path: string): Promise<number> {
  return (await workspace.readEnds(path, { headBytes: 0, tailBytes: 0 }))?.sizeBytes ?? 0
}

function warnOfSize(path: string, sizeBytes: number): LatexWarning {
  const message = `${path} (${sizeBytes} bytes) was omitted: the outputs together may have at most ${MAX_OUTPUTS_BYTES} bytes`
  return { type: 'warning', code: 'other', file: null, line: null, message }
}
