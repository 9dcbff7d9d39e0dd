/**
 * The edited page before the rest of the document: an engine that has read up to the edit gets the text of a page more, and
 * an early end. Its auxiliary files are incomplete and are removed with its workspace.
 */
import { ENGINES } from '../../engine/engines.ts'
import { startBudget } from '../budget.ts'
import type { ResolvedJob } from '../job.ts'
import { runWaitingDriver } from '../passes/make-pdf.ts'
import { readPdf } from '../read-pdf.ts'
import { listReaders, takeReader, type WaitingReader } from '../readers/reader-store.ts'
import { openWorkspace } from '../workspace.ts'
import { findEarlyEnd, positionOfLine } from './find-early-end.ts'
import type { SourceLine } from './find-page-of-line.ts'

/** Ends the job without `\end{document}`: no hook may expect what is missing. */
const END = Buffer.from('\n\n\\clearpage\\makeatletter\\csname @@end\\endcsname\n')

/** A PDF that ends soon after the edited page. */
export interface EditedPage {
  readonly pdf: Uint8Array
  /** Page of the document that is the first one in the PDF. */
  readonly firstPage: number
}

/** Null if no engine has read ahead for it, or the document cannot end after the edit. */
export async function showEditedPage(job: ResolvedJob, { file, line }: SourceLine): Promise<EditedPage | null> {
  const root = job.files.get(job.rootFile)
  // The other engine is for the whole document.
  if (file !== job.rootFile || root === undefined || job.document === undefined) return null
  if (listReaders(job.sandbox, job.document).length < 2) return null
  const end = findEarlyEnd(root, positionOfLine(root, line))
  if (end === null) return null
  const reader = await takeReader(job)
  if (reader === null) return null
  try {
    if (reader.start.length >= end) return null
    return await finishEarly(job, { reader, rest: Buffer.concat([root.subarray(reader.start.length, end), END]) })
  } finally {
    await job.sandbox.removeWorkspace(reader.workspaceDir)
  }
}

async function finishEarly(
  job: ResolvedJob,
  { reader, rest }: { readonly reader: WaitingReader; readonly rest: Uint8Array },
): Promise<EditedPage | null> {
  const { workspaceDir, program, firstPage } = reader
  const { command } = program
  const workspace = openWorkspace(workspaceDir, { job, reader })
  const budget = startBudget(job.timeoutMs, job.signal)
  const { end } = await job.sandbox.run(
    { program: command.program, args: command.args, env: command.env, resume: { waiting: command, input: rest } },
    { workspaceDir, folder: command.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  if (end.kind !== 'exited') return null
  const row = ENGINES[job.engine]
  if (row.output === 'xdv' && !(await runWaitingDriver({ job, workspace, budget }, firstPage))) return null
  const pdf = await readPdf(workspace)
  return pdf === null ? null : { pdf, firstPage: row.output === 'xdv' ? firstPage : 1 }
}
