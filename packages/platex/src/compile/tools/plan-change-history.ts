import { digestOf } from '../canonical-digest.ts'
import { NO_DEMAND, type ToolContext, type ToolDemand } from './types.ts'

/** Plans the change history of doc and ltxdoc: the `.glo` of `\RecordChanges`, sorted with the style of doc. */
export async function planChangeHistory({ workspace, recorder }: ToolContext): Promise<ToolDemand> {
  const raw = workspace.outputPath('glo')
  const loads = (style: string) => recorder.names.some((name) => name.endsWith(`/${style}`))
  if (!recorder.outputs.has(raw) || !loads('doc.sty') || loads('glossaries.sty')) return NO_DEMAND
  if (!workspace.hasTool('makeindex')) return NO_DEMAND
  const content = await workspace.read(raw)
  if (content === null || !Buffer.from(content).includes('\\glossaryentry')) return NO_DEMAND
  const { jobName } = workspace
  return {
    plans: [
      {
        tool: 'makeindex',
        args: ['-s', 'gglo.ist', '-t', `${jobName}.glg`, '-o', `${jobName}.gls`, `${jobName}.glo`],
        subject: raw,
        inputDigest: digestOf(content),
        outputs: [workspace.outputPath('gls')],
        transcript: workspace.outputPath('glg'),
        reads: [],
        prepared: new Map(),
      },
    ],
    unmet: [],
  }
}
