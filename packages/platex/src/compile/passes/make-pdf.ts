import { documentEnvironment } from '../document-environment.ts'
import { makeMissingFonts } from './make-missing-fonts.ts'
import type { EngineRun } from './run.ts'
import type { PassScene } from './run.ts'
import type { RunReport } from '../../sandbox/types.ts'

/**
 * Turns the pages of XeTeX's last pass into a PDF: one driver run for the whole compile instead of one a pass.
 *
 * Null when the engine makes its PDF itself. The switches are those with which XeTeX starts the driver. A quiet driver
 * does not say which font it missed, so a run that fails is repeated aloud.
 */
export async function makePdf(pass: EngineRun, scene: PassScene): Promise<RunReport | null> {
  const { workspace } = scene
  if (pass.row.output === 'pdf' || !(await workspace.has(workspace.outputPath('xdv')))) return null
  const quiet = await runDriver(pass, scene, ['-q'])
  if (quiet.end.kind !== 'exited' || quiet.end.exitCode === 0) return quiet
  const report = await runDriver(pass, scene, [])
  const fonts = await makeMissingFonts(scene, pass.passNumber)
  return fonts.length > 0 ? makePdf(pass, scene) : report
}

async function runDriver(pass: EngineRun, scene: PassScene, switches: readonly string[]): Promise<RunReport> {
  const { job, workspace, budget } = scene
  const { jobName } = workspace
  const reason = `${jobName}.xdv is complete`
  const program = 'xdvipdfmx'
  job.onProgress?.({ kind: 'pass-started', passNumber: pass.passNumber, program, reason })
  const report = await workspace.sandbox.run(
    {
      program,
      args: [...switches, '-E', '-o', `${jobName}.pdf`, `${jobName}.xdv`],
      env: documentEnvironment(job, workspace),
    },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  job.onProgress?.({ kind: 'pass-ended', passNumber: pass.passNumber, program, durationMs: report.durationMs })
  budget.signal?.throwIfAborted()
  return report
}
