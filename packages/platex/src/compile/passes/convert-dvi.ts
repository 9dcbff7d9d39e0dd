import { Buffer } from 'node:buffer'
import type { RunReport } from '../../sandbox/types.ts'
import { documentEnvironment } from '../document-environment.ts'
import { makeMissingFonts } from './make-missing-fonts.ts'
import { isForDvipdfmx, type DriverRun, type EngineRun, type PassContext } from './run.ts'

interface DriverCommand {
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Converts the pages of a DVI file to PDF, with the drivers for which they are written; null if there are none.
 *
 * The output of all is kept, because dvips only warns of missing content.
 */
export async function convertDvi(pass: EngineRun, context: PassContext): Promise<DriverRun | null> {
  const { workspace } = context
  if (!(await workspace.has(workspace.outputPath('dvi')))) return null
  const outputs: Uint8Array[] = []
  let last: DriverRun | null = null
  for (const command of driversFor(pass, workspace)) {
    const report = await runDriver(command, pass, context)
    outputs.push(report.stdout, report.stderr)
    last = { ...report, program: command.program, stdout: Buffer.concat(outputs), stderr: new Uint8Array() }
    if (report.end.kind !== 'exited') return last
    const fonts = await makeMissingFonts(context, pass.passNumber)
    if (fonts.length > 0) return convertDvi(pass, context)
    // dvips continues without a missing figure, and reports it in its exit code as well.
    if (report.end.exitCode !== 0 && !(await workspace.has(workspace.outputPath('ps')))) return last
  }
  return last
}

/** Japanese TeX uses dvipdfmx. Other pages are written for dvips unless a package loaded the definitions of dvipdfmx. */
function driversFor(
  pass: EngineRun,
  { jobName, folder }: Pick<PassContext['workspace'], 'jobName' | 'folder'>,
): readonly DriverCommand[] {
  if (pass.row.engine !== 'latex' || isForDvipdfmx(pass)) {
    return [{ program: 'dvipdfmx', args: ['-q', '-o', `${jobName}.pdf`, `${jobName}.dvi`] }]
  }
  // `-P pdf` places characters at 8000 dpi, as latexmk requests.
  // As for TeX (`documentEnvironment`): only documents in a folder may read files outside it.
  const secure = folder === '' ? '-R2' : '-R1'
  return [
    { program: 'dvips', args: [secure, '-P', 'pdf', '-o', `${jobName}.ps`, `${jobName}.dvi`] },
    { program: 'gs', args: [...GHOSTSCRIPT_ARGUMENTS, `-sOutputFile=${jobName}.pdf`, `${jobName}.ps`] },
  ]
}

/** The arguments of `ps2pdf`, plus transparency, which pstricks uses. Messages go to standard error. */
const GHOSTSCRIPT_ARGUMENTS = [
  '-q',
  '-P-',
  '-dSAFER',
  '-dNOPAUSE',
  '-dBATCH',
  '-dALLOWPSTRANSPARENCY',
  '-sDEVICE=pdfwrite',
  '-sstdout=%stderr',
]

async function runDriver(
  { program, args }: DriverCommand,
  { passNumber }: EngineRun,
  { job, workspace, budget }: PassContext,
): Promise<RunReport> {
  const reason = `${workspace.jobName}.dvi is complete`
  job.onProgress?.({ kind: 'pass-started', passNumber, program, reason })
  const report = await workspace.sandbox.run(
    { program, args, env: documentEnvironment(job, workspace) },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs: report.durationMs })
  budget.signal?.throwIfAborted()
  return report
}
