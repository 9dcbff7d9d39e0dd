import type { RunReport } from '../../sandbox/types.ts'
import type { ToolRun } from './run.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import type { PassContext } from './run.ts'

const ENDED_WELL: RunReport = {
  end: { kind: 'exited', exitCode: 0 },
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  durationMs: 0,
}

/** Reads the log of a bibliography tool that the engine runs itself, so that its diagnostics are reported. */
export async function readOwnToolRuns(context: PassContext): Promise<readonly ToolRun[]> {
  const { workspace } = context
  const transcriptPath = workspace.outputPath('blg')
  const record = await inspect(
    'inspectTool',
    { place: workspace.place, outputs: [], transcript: transcriptPath },
    inspectionOptions(context),
  )
  if (record.kind === 'fault' || record.value.transcript.length === 0) return []
  const isBiber = await workspace.has(workspace.outputPath('bcf'))
  return [
    {
      kind: 'tool',
      plan: {
        tool: isBiber ? 'biber' : 'bibtex',
        args: [],
        subject: workspace.outputPath(isBiber ? 'bcf' : 'aux'),
        inputDigest: '',
        outputs: [workspace.outputPath('bbl')],
        transcript: transcriptPath,
        reads: [],
        prepared: new Map(),
      },
      passNumber: null,
      reason: 'the engine runs it by itself',
      report: ENDED_WELL,
      transcript: record.value.transcript,
      hasChangedOutput: false,
    },
  ]
}
