import { documentEnvironment } from '../document-environment.ts'
import { makeMissingFonts } from './make-missing-fonts.ts'
import type { EngineRun } from './run.ts'
import type { PassContext } from './run.ts'
import type { RunReport, WaitingCommand } from '../../sandbox/types.ts'

/**
 * Converts the pages of XeTeX's last pass to PDF: one driver run per compile instead of one per pass.
 *
 * Null if the engine writes PDF itself. The options are those that XeTeX passes to the driver. With `-q` the driver
 * does not name missing fonts, so a failed run is repeated without it.
 */
export async function makePdf(pass: EngineRun, context: PassContext): Promise<RunReport | null> {
  const { workspace } = context
  if (pass.row.output === 'pdf' || !(await workspace.has(workspace.outputPath('xdv')))) return null
  const quiet = await runDriver(pass, context, ['-q'])
  if (quiet.end.kind !== 'exited' || quiet.end.exitCode === 0) return quiet
  const report = await runDriver(pass, context, [])
  const fonts = await makeMissingFonts(context, pass.passNumber)
  return fonts.length > 0 ? makePdf(pass, context) : report
}

/** Starts the driver while the engine runs: it loads its font maps and waits for the pages. */
export function startDriverAhead(context: PassContext): void {
  const { row, workspace, budget } = context
  if (row.output === 'xdv') workspace.sandbox.startAhead(waitingDriver(context), workspace.dir, budget.remainingMs())
}

/** It reads the pages from standard input and prints nothing before. */
function waitingDriver({ job, workspace }: PassContext): WaitingCommand {
  const { folder, jobName } = workspace
  const args = ['-q', '-E', '-o', `${jobName}.pdf`]
  return { program: 'xdvipdfmx', args, env: documentEnvironment(job, workspace), folder, prompt: null }
}

async function runDriver(pass: EngineRun, context: PassContext, switches: readonly string[]): Promise<RunReport> {
  const { job, workspace, budget } = context
  const { jobName } = workspace
  const reason = `${jobName}.xdv is complete`
  const program = 'xdvipdfmx'
  job.onProgress?.({ kind: 'pass-started', passNumber: pass.passNumber, program, reason })
  const waiting = switches.length === 0 ? null : waitingDriver(context)
  const xdv = waiting && (await workspace.read(workspace.outputPath('xdv')))
  const report = await workspace.sandbox.run(
    {
      program,
      args: [...switches, '-E', '-o', `${jobName}.pdf`, `${jobName}.xdv`],
      env: documentEnvironment(job, workspace),
      resume: waiting && xdv && { waiting, input: xdv },
    },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  job.onProgress?.({ kind: 'pass-ended', passNumber: pass.passNumber, program, durationMs: report.durationMs })
  budget.signal?.throwIfAborted()
  return report
}
