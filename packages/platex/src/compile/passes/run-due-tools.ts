import { mapFewAtOnce } from '../../base/map-few-at-once.ts'
import type { Budget } from '../budget.ts'
import { documentEnvironment, toolEnvironment } from '../document-environment.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import type { ResolvedJob } from '../job.ts'
import { keepOutput } from '../log-excerpt.ts'
import type { ToolRun } from './run.ts'
import type { Workspace } from '../workspace.ts'
import { hasComplaints } from '../tools/inspect-tool.ts'
import { runCached } from '../tools/tool-cache.ts'
import type { ToolMemory } from '../tools/tool-memory.ts'
import type { ToolPlan } from '../tools/types.ts'

/** The input of one round of tools. */
export interface ToolRound {
  readonly job: ResolvedJob
  readonly workspace: Workspace
  readonly budget: Budget
  readonly memory: ToolMemory
  /** Number of the engine pass before. */
  readonly afterPass: number
}

/** Starting a program holds up the thread that serves requests, and a document can ask for dozens. */
const TOOLS_AT_ONCE = 4

/**
 * Runs the plans that are due, a few at the same time, and records their inputs.
 *
 * makeindex finishes while biber is still starting.
 */
export async function runDueTools(plans: readonly ToolPlan[], round: ToolRound): Promise<readonly ToolRun[]> {
  const due = plans.filter((plan) => round.memory.isDue(plan))
  for (const plan of plans) {
    const reason = `${plan.subject} has no relevant changes`
    if (!due.includes(plan)) round.job.onProgress?.({ kind: 'skipped', program: plan.tool, reason })
  }
  let passNumber = round.afterPass
  const numbered = due.map((plan) => ({ plan, passNumber: isListed(plan) ? (passNumber += 1) : null }))
  return mapFewAtOnce(numbered, TOOLS_AT_ONCE, ({ plan, passNumber }) => runTool(plan, { ...round, passNumber }))
}

/** The wire lists bibliography tools as passes and has no name for the others. */
function isListed(plan: ToolPlan): boolean {
  return plan.tool === 'biber' || plan.tool === 'bibtex'
}

async function runTool(plan: ToolPlan, round: ToolRound & { passNumber: number | null }): Promise<ToolRun> {
  const { workspace, job, budget, passNumber } = round
  for (const [path, bytes] of plan.prepared) await workspace.replace(path, bytes)
  const { place } = workspace
  // Not joined to the signal: another tool may still be running when this one is aborted, and the workspace must wait
  // for it.
  const options = { ...inspectionOptions(round), signal: undefined }
  const digestBefore = await inspect('digestOutputs', { place, outputs: plan.outputs }, options)
  await removeOlderOutputs(plan, round)
  const progressPass = passNumber ?? round.afterPass
  const reason = round.memory.reasonFor(plan)
  job.onProgress?.({ kind: 'pass-started', passNumber: progressPass, program: plan.tool, reason })
  const report = await runCached(plan, { job, workspace }, () =>
    workspace.sandbox.run(
      {
        program: plan.program ?? plan.tool,
        args: plan.args,
        env: plan.tool === 'makeindex' ? toolEnvironment(job) : documentEnvironment(job, workspace),
      },
      { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
    ),
  )
  job.onProgress?.({
    kind: 'pass-ended',
    passNumber: progressPass,
    program: plan.tool,
    durationMs: report.durationMs,
  })
  const { outputs, transcript } = plan
  const inspected = await inspect('inspectTool', { place, outputs, transcript }, options)
  const record = inspected.kind === 'done' ? inspected.value : NOTHING_READ
  const [stdout, stderr] = [keepOutput(report.stdout), keepOutput(report.stderr)]
  // A run with diagnostics is repeated by the next compile, so that they are reported again. xindy prints its warnings only.
  const hasComplained = record.hasComplaints || hasComplaints(stderr)
  const isClean = report.end.kind === 'exited' && report.end.exitCode === 0 && !hasComplained
  round.memory.remember(plan, { isClean })
  return {
    kind: 'tool',
    plan,
    passNumber,
    reason,
    report: { ...report, stdout, stderr },
    transcript: record.transcript,
    hasChangedOutput: digestBefore.kind === 'fault' || digestBefore.value !== record.outputDigest,
  }
}

/** Programs that fail leave their output as it is: the output of an earlier compile would stay in the document. */
async function removeOlderOutputs(plan: ToolPlan, { memory, job, workspace }: ToolRound): Promise<void> {
  if (memory.hasRun(plan)) return
  const older = plan.outputs.filter((path) => job.warmStartFiles?.has(path) && !job.files.has(path))
  for (const path of older) await workspace.remove(path)
}

const NOTHING_READ = { transcript: new Uint8Array(), hasComplaints: true, outputDigest: '' }
