import { documentEnvironment } from '../document-environment.ts'
import { makeMissingFonts } from './make-missing-fonts.ts'
import { convertDvi } from './convert-dvi.ts'
import type { DriverRun, EngineRun, PassContext } from './run.ts'
import type { WaitingCommand } from '../../sandbox/types.ts'

/** Makes the PDF from the pages of the last pass; null if the engine writes PDF itself, or there are none. */
export async function makePdf(pass: EngineRun, context: PassContext): Promise<DriverRun | null> {
  if (pass.row.output === 'pdf') return null
  return pass.row.output === 'dvi' ? convertDvi(pass, context) : convertXdv(pass, context)
}

/**
 * Converts the pages of XeTeX's last pass to PDF: one driver run per compile instead of one per pass.
 *
 * The options are those that XeTeX passes to the driver. With `-q` the driver
 * does not name missing fonts, so a failed run is repeated without it.
 */
async function convertXdv(pass: EngineRun, context: PassContext): Promise<DriverRun | null> {
  const { workspace } = context
  if (!(await workspace.has(workspace.outputPath('xdv')))) return null
  const quiet = await runDriver(pass, context, ['-q'])
  if (quiet.end.kind !== 'exited' || quiet.end.exitCode === 0) return quiet
  const report = await runDriver(pass, context, [])
  const fonts = await makeMissingFonts(context, pass.passNumber)
  return fonts.length > 0 ? convertXdv(pass, context) : report
}

type DriverContext = Pick<PassContext, 'job' | 'workspace' | 'budget'>

/** Starts the driver while the engine runs: it loads its font maps and waits for the pages. */
export function startDriverAhead(context: DriverContext & Pick<PassContext, 'row'>): void {
  const { row, workspace, budget } = context
  if (row.output !== 'xdv') return
  workspace.sandbox.startAhead(waitingDriver(context), workspace.dir, budget.remainingMs())
}

/** Converts an XDV file with a driver that waits; true if that works. */
export async function runWaitingDriver(context: DriverContext, xdv: Uint8Array): Promise<boolean> {
  const { job, workspace, budget } = context
  const waiting = waitingDriver(context)
  const { end } = await workspace.sandbox.run(
    {
      program: waiting.program,
      args: [...waiting.args, `${workspace.jobName}.xdv`],
      env: documentEnvironment(job, workspace),
      resume: { waiting, input: xdv },
    },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  return end.kind === 'exited' && end.exitCode === 0
}

/** It reads the pages from standard input and prints nothing before. */
function waitingDriver({ job, workspace }: DriverContext): WaitingCommand {
  const { folder, jobName } = workspace
  const args = ['-q', '-E', '-o', `${jobName}.pdf`]
  return { program: 'xdvipdfmx', args, env: documentEnvironment(job, workspace), folder, prompt: null }
}

async function runDriver(pass: EngineRun, context: PassContext, switches: readonly string[]): Promise<DriverRun> {
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
  return { ...report, program }
}
