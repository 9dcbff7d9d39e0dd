import type { RunReport } from '../../sandbox/types.ts'
import type { ToolRun } from './run.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import type { PassScene } from './run.ts'

const ENDED_WELL: RunReport = {
  end: { kind: 'exited', exitCode: 0 },
  stdout: new Uint8Array(),
  stderr: new Uint8Array(),
  durationMs: 0,
}

/** What an engine left of the bibliography tool that it runs by itself, so that the tool's complaints are heard too. */
export async function readOwnToolRuns(scene: PassScene): Promise<readonly ToolRun[]> {
  const { workspace } = scene
  const transcriptPath = workspace.outputPath('blg')
  const record = await inspect(
    'recordTool',
    { place: workspace.place, outputs: [], transcript: transcriptPath },
    inspectionOptions(scene),
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
