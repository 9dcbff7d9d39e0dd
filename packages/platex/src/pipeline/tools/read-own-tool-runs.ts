import type { RunReport } from '../../sandbox/types.ts'
import type { ToolRun } from '../run.ts'
import type { Workspace } from '../workspace.ts'

const ENDED_WELL: RunReport = {
  end: { kind: 'exited', exitCode: 0 },
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  durationMs: 0,
}

/** What an engine left of the bibliography tool that it runs by itself, so that the tool's complaints are heard too. */
export async function readOwnToolRuns(workspace: Workspace): Promise<readonly ToolRun[]> {
  const transcript = await workspace.read(workspace.outputPath('blg'))
  if (transcript === null) return []
  const isBiber = (await workspace.read(workspace.outputPath('bcf'))) !== null
  return [
    {
      kind: 'tool',
      plan: {
        tool: isBiber ? 'biber' : 'bibtex',
        args: [],
        subject: workspace.outputPath(isBiber ? 'bcf' : 'aux'),
        inputDigest: '',
        outputs: [workspace.outputPath('bbl')],
        transcript: workspace.outputPath('blg'),
        reads: [],
        prepared: new Map(),
      },
      passNumber: null,
      reason: 'the engine runs it by itself',
      report: ENDED_WELL,
      transcript,
      hasChangedOutput: false,
    },
  ]
}
