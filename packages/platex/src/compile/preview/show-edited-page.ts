/**
 * The edited page before the rest of the document: an engine that has read up to the edit gets the text of a page more, and
 * an early end. Its auxiliary files are incomplete and are removed with its workspace.
 */
import { latin1 } from '../canonical-digest.ts'
import { ENGINES } from '../../engine/engines.ts'
import { startBudget } from '../budget.ts'
import type { ResolvedJob } from '../job.ts'
import { runWaitingDriver } from '../passes/make-pdf.ts'
import { readPdf } from '../read-pdf.ts'
import { preambleOf } from '../readers/choose-starts.ts'
import { listReaders, takeReader, type WaitingReader } from '../readers/reader-store.ts'
import { openWorkspace, type Workspace } from '../workspace.ts'
import { dropEarlierPages } from './drop-earlier-pages.ts'
import { findEarlyEnd, positionOfLine } from './find-early-end.ts'
import type { SourceLine } from './find-page-of-line.ts'

/** Ends the job without `\end{document}`: no hook may expect what is missing. */
const END = Buffer.from('\n\n\\clearpage\\makeatletter\\csname @@end\\endcsname\n')

/** An edit can move its paragraph to an earlier page. */
const PAGES_BEFORE = 2

/** Position of the last edit. */
export interface EditPlace extends SourceLine {
  /** Its page in the last compile, 1-based. */
  readonly page: number
  /** The first line of the file on the page after the edit before this one, 1-based; null if unknown. */
  readonly nextPageLine: number | null
}

/** A PDF that ends soon after the edited page. */
export interface EditedPage {
  readonly pdf: Uint8Array
  /** Page of the document that is the first one in the PDF. */
  readonly firstPage: number
}

/**
 * Takes the engine that has read up to the edit. Resolves to the function that shows the page, or to null if no engine has
 * read ahead for it, or the document cannot end after the edit.
 */
export async function beginEditedPage(
  job: ResolvedJob,
  place: EditPlace,
): Promise<(() => Promise<EditedPage | null>) | null> {
  // The other engine is for the whole document.
  if (job.document === undefined || listReaders(job.sandbox, job.document).length < 2) return null
  const shortened = shorten(job, place)
  const reader = shortened && (await takeReader(shortened))
  const root = shortened?.files.get(job.rootFile)
  if (reader === null || root === undefined) return null
  return async () => {
    try {
      const firstPage = Math.max(1, place.page - PAGES_BEFORE)
      return await finishEarly(job, { reader, rest: root.subarray(reader.start.length), firstPage })
    } finally {
      await job.sandbox.removeWorkspace(reader.workspaceDir)
    }
  }
}

/** The job with an edited file that ends after the edit; null if it cannot. */
function shorten(job: ResolvedJob, { file, line, nextPageLine }: EditPlace): ResolvedJob | null {
  const source = job.files.get(file)
  const root = job.files.get(job.rootFile)
  if (source === undefined || root === undefined) return null
  const isSlides = latin1(preambleOf(root) ?? new Uint8Array()).includes('{beamer}')
  const end = findEarlyEnd({
    source,
    editedAt: positionOfLine(source, line),
    nextPageAt: nextPageLine === null || nextPageLine <= line ? null : positionOfLine(source, nextPageLine),
    isRoot: file === job.rootFile,
    isSlides,
  })
  if (end === null) return null
  return { ...job, files: new Map([...job.files, [file, Buffer.concat([source.subarray(0, end), END])]]) }
}

interface EarlyFinish {
  readonly reader: WaitingReader
  /** The part of the source that the engine has not read. */
  readonly rest: Uint8Array
  /** Pages before it need not be converted. */
  readonly firstPage: number
}

async function finishEarly(job: ResolvedJob, { reader, rest, firstPage }: EarlyFinish): Promise<EditedPage | null> {
  const { workspaceDir, program } = reader
  const { command } = program
  const workspace = openWorkspace(workspaceDir, { job, reader })
  const budget = startBudget(job.timeoutMs, job.signal)
  const { end } = await job.sandbox.run(
    { program: command.program, args: command.args, env: command.env, resume: { waiting: command, input: rest } },
    { workspaceDir, folder: command.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  if (end.kind !== 'exited') return null
  if (ENGINES[job.engine].output !== 'xdv') return pdfIn(workspace, 1)
  const xdv = await workspace.read(workspace.outputPath('xdv'))
  const pages = xdv && dropEarlierPages(xdv, firstPage)
  if (pages === null || !(await runWaitingDriver({ job, workspace, budget }, pages))) return null
  return pdfIn(workspace, firstPage)
}

async function pdfIn(workspace: Workspace, firstPage: number): Promise<EditedPage | null> {
  const pdf = await readPdf(workspace)
  return pdf && { pdf, firstPage }
}
