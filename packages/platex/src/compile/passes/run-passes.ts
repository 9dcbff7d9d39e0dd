/**
 * The main loop: engine, due tools, decision, until nothing changes.
 *
 * `passes` 1, 2 and 3 run exactly that many engine passes. Tools run only between them, because no pass would read
 * their output after the last one.
 */
import { posix } from 'node:path'
import type { BibEngine } from '../../base/types.ts'
import type { ResumeOrder } from '../../sandbox/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { toWorkspacePath } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { NO_DEMAND } from '../tools/types.ts'
import type { Workspace } from '../workspace.ts'
import { convertMissingPictures, placeConvertedPictures } from './convert-missing-pictures.ts'
import { engraveScores, engraveScoresAhead } from '../tools/engrave-scores.ts'
import { importLabels, importLabelsAhead } from '../labels/import-labels.ts'
import { decideRerun, type PassRecord, type RerunDecision } from './decide-rerun.ts'
import { lacksFonts } from '../readers/font-map.ts'
import { listWritten } from '../readers/list-written.ts'
import { listBriefly, makeMissingFonts, REQUEST_FILE } from './make-missing-fonts.ts'
import { startDriverAhead } from './make-pdf.ts'
import { measurePictures } from './measure-pictures.ts'
import { offerPdf } from './offer-pdf.ts'
import { readOwnToolRuns } from './read-own-tool-runs.ts'
import { runDueTools } from './run-due-tools.ts'
import { runEnginePass } from './run-engine-pass.ts'
import { startNextPass, untilLogIsOpen, type NextPass } from './next-pass.ts'
import { waitingEngineFor } from './waiting-engine.ts'
import {
  hasStopped,
  recorderOf,
  wasKilled,
  type EngineRun,
  type Inspection,
  type PassesEnd,
  type PassContext,
  type PassHistory,
  type Run,
  type ToolRun,
} from './run.ts'
import { isVolatile, type State } from './state.ts'

export async function runPasses(context: PassContext): Promise<PassHistory> {
  const ahead = createNextPasses(context)
  try {
    return await runUntilStable(context, ahead)
  } finally {
    await ahead.discard()
  }
}

async function runUntilStable(context: PassContext, ahead: NextPasses): Promise<PassHistory> {
  const wanted = context.row.isWholePipeline ? 1 : context.job.passes
  const auxPath = context.workspace.outputPath('aux')
  const runs: Run[] = []
  const records: PassRecord[] = []
  let demand = NO_DEMAND
  let reason = 'first pass'
  let isNextCertain = wanted === 'auto' && expectsAnotherPass(context.job, auxPath)
  const ended = (end: PassesEnd): PassHistory => ({ end, runs, demand, records })
  if (context.workspace.reader === null) {
    await placeConvertedPictures(context)
    await engraveScoresAhead(context)
    await importLabelsAhead(context)
    startDriverAhead(context)
  }
  for (let count = 1; ; count += 1) {
    const begun = await ahead.begin(runs)
    const expectsNext = wanted === 'auto' ? isNextCertain : count < wanted
    const isDraft = expectsNext && context.row.canDraft && (wanted === 'auto' || count === 1)
    const toolsFor = count === wanted ? null : context.job.bibliography
    if (expectsNext || (wanted === 'auto' && isAnotherLikely(records))) ahead.start({ isCertain: expectsNext })
    const pass = await runRepairedPass(context, { runs, reason, isDraft, begun, toolsFor })
    if (hasStopped(pass)) return ended({ kind: 'stopped' })
    if (context.row.isWholePipeline) runs.push(...(await readOwnToolRuns(context)))
    if (pass.output.kind === 'fault') return ended({ kind: 'unreadable', fault: pass.output.message })
    if (count === wanted) return ended({ kind: 'counted' })
    demand = pass.output.value.demand
    const tools = await runDueTools(demand.plans, { ...context, afterPass: pass.passNumber })
    runs.push(...tools)
    context.budget.signal?.throwIfAborted()
    if (tools.some(wasKilled)) return ended({ kind: 'stopped' })
    const recorded = await recordFinishedPass(context, { before: records.at(-1)?.after ?? null, pass, tools })
    if (recorded.kind === 'fault') return ended({ kind: 'unreadable', fault: recorded.message })
    const record = recorded.value
    const decision = decideRerun(records, record)
    records.push(record)
    isNextCertain = awaitsBibliography(pass, records) && tools.some(isNewBibliography)
    reason = reasonFor(decision, count)
    if (wanted === 'auto' && decision.kind === 'rerun') await offerPdf(pass, { record, context })
    if (wanted !== 'auto' || decision.kind === 'rerun') continue
    if (decision.kind === 'converged') {
      const why = record.isTrivial ? 'nothing in it needs another pass' : 'no file that the last pass read has changed'
      context.job.onProgress?.({ kind: 'skipped', program: context.row.program, reason: why })
      return ended(decision)
    }
    if (decision.kind === 'cycle') await continueToBestPass(context, { runs, length: decision.length })
    return ended({ kind: 'unstable', cycle: decision.kind === 'cycle' ? decision.length : null, files: decision.files })
  }
}

interface PassDue {
  readonly runs: Run[]
  readonly reason: string
  readonly isDraft: boolean
  readonly begun: ResumeOrder | null
  readonly toolsFor: BibEngine | null
}

/** Runs the engine, and repeats it after making missing fonts, pictures, their sizes, scores, labels or folders. */
async function runRepairedPass(context: PassContext, { runs, reason, begun, ...asked }: PassDue): Promise<EngineRun> {
  const order = { row: context.row, passNumber: nextNumber(runs), reason, begun, ...asked }
  const pass = await runEnginePass(order, context)
  const due = { ...asked, begun: null }
  if (!wasKilled(pass) && lacksFonts(context.job, pass.row, recorderOf(pass).names)) {
    context.memory.noteWholeFontMap()
    // A draft has no fonts. Any other pass is repeated, as if it had not run: the font map is our choice, not the author's.
    if (!isCompleteDraft(pass)) {
      await context.workspace.remove(posix.join(context.workspace.folder, REQUEST_FILE))
      return runRepairedPass(context, { runs, reason, ...due })
    }
  }
  runs.push(pass)
  context.budget.signal?.throwIfAborted()
  if (wasKilled(pass)) return pass
  const fonts = await makeMissingFonts(context, pass.passNumber)
  if (fonts.length > 0)
    return runRepairedPass(context, { runs, reason: `fonts were generated: ${listBriefly(fonts)}`, ...due })
  const facts = pass.output.kind === 'done' ? pass.output.value.facts : null
  const pictures = await convertMissingPictures(context, {
    requests: facts?.pictureRequests ?? [],
    passNumber: pass.passNumber,
  })
  if (pictures.length > 0) {
    return runRepairedPass(context, { runs, reason: `pictures were converted: ${listBriefly(pictures)}`, ...due })
  }
  const measured = await measurePictures(context, pass)
  if (measured.length > 0) {
    return runRepairedPass(context, { runs, reason: `pictures were measured: ${listBriefly(measured)}`, ...due })
  }
  const scores = await engraveScores(context, {
    version: facts?.scoreVersion ?? null,
    passNumber: pass.passNumber,
  })
  if (scores.length > 0) {
    return runRepairedPass(context, { runs, reason: `scores were converted: ${listBriefly(scores)}`, ...due })
  }
  const labels = await importLabels(context, { missing: facts?.missingLabels ?? [], passNumber: pass.passNumber })
  if (labels.length > 0)
    return runRepairedPass(context, { runs, reason: `labels were imported: ${listBriefly(labels)}`, ...due })
  if (!hasStopped(pass)) return pass
  if (!(await createMissingFolder(facts?.unwritableFile ?? null, context.workspace))) return pass
  return runRepairedPass(context, { runs, reason: 'a folder to write to was missing', ...due })
}

function isCompleteDraft({ isDraft, report }: EngineRun): boolean {
  return isDraft && report.end.kind === 'exited' && report.end.exitCode === 0
}

interface PassWithTools {
  /** Null before the first pass. */
  readonly before: State | null
  readonly pass: EngineRun
  readonly tools: readonly ToolRun[]
}

async function recordFinishedPass(
  context: PassContext,
  { before, pass, tools }: PassWithTools,
): Promise<Inspection<PassRecord>> {
  if (pass.output.kind === 'fault') return pass.output
  const { job, workspace } = context
  const { recorder, facts } = pass.output.value
  return inspect(
    'recordPass',
    {
      place: workspace.place,
      before,
      brought: before === null ? listBrought(job, recorder.outputs) : new Map(),
      isDraft: pass.isDraft,
      recorder,
      facts,
      tools: tools.map(({ plan: { subject, outputs }, hasChangedOutput }) => ({ subject, outputs, hasChangedOutput })),
    },
    inspectionOptions(context),
  )
}

/** Job files that the first pass wrote, and all warm-start files, as the pass found them. */
function listBrought(job: ResolvedJob, outputs: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
  const brought = [...listWritten(job)]
  return new Map(brought.filter(([path]) => !isVolatile(path) && (outputs.has(path) || job.warmStartFiles?.has(path))))
}

function nextNumber(runs: readonly Run[]): number {
  return 1 + runs.filter((run) => run.passNumber !== null).length
}

function reasonFor(decision: RerunDecision, count: number): string {
  return decision.kind === 'rerun' ? decision.reason : `pass ${count + 1} was requested`
}

/**
 * All passes of a cycle are equally valid unless one resolves more references: then the cycle is repeated up to that
 * pass.
 */
async function continueToBestPass(
  context: PassContext,
  { runs, length }: { runs: Run[]; length: number },
): Promise<void> {
  const round = runs.filter((run) => run.kind === 'engine').slice(-length)
  const undefinedCounts = round.map(({ output }) => (output.kind === 'done' ? output.value.facts.undefinedCount : 0))
  const best = undefinedCounts.lastIndexOf(Math.min(...undefinedCounts))
  if (best === length - 1) return
  for (let further = 0; further <= best; further += 1) {
    const reason = `pass ${further + 1} of a cycle of ${length}`
    const pass = await runRepairedPass(context, { runs, reason, isDraft: false, begun: null, toolsFor: null })
    if (hasStopped(pass)) return
  }
}

/** The passes of one compile that begin while the ones before them run. */
interface NextPasses {
  /** Begins the next pass, unless it has begun. If it is certain, its engine is started at least. */
  start(options: { readonly isCertain: boolean }): void
  /** The input of the engine that has begun the pass; null if none has. */
  begin(runs: readonly Run[]): Promise<ResumeOrder | null>
  /** Stops preparations that are not needed. */
  discard(): Promise<void>
}

function createNextPasses(context: PassContext): NextPasses {
  const { job, workspace, row, budget } = context
  const started: Promise<NextPass | null>[] = []
  let passCount = 0
  const startOne = (): Promise<NextPass | null> => startNextPass(context).catch(() => null) // The pass starts its own.
  const startFirst = async (isCertain: boolean): Promise<NextPass | null> => {
    const current = passCount
    const next = await startOne()
    const waiting = next === null && isCertain ? waitingEngineFor(job, row) : null
    if (waiting !== null && (await untilLogIsOpen(context, () => passCount !== current)))
      workspace.sandbox.startAhead(waiting, workspace.dir, budget.remainingMs())
    return next
  }
  return {
    start({ isCertain }) {
      if (started.length > 0) return
      const first = startFirst(isCertain)
      started.push(first)
      // Passes that have read the preamble are short, so the engine of the pass after the next one begins early as well.
      if (isCertain && job.passes === 'auto') {
        started.push(first.then(async (next) => ((await next?.isReady) ? startOne() : null)))
      }
    },
    async begin(runs) {
      passCount += 1
      const next = await started.shift()
      const written = runs.flatMap((run) => (run.kind === 'engine' ? [...recorderOf(run).outputs] : run.plan.outputs))
      return (await next?.begin(new Set(written))) ?? null
    },
    async discard() {
      passCount += 1
      // In this order: the second starts only when the first is ready, or has ended.
      for (const next of started) await (await next)?.discard()
    },
  }
}

/**
 * True after the first pass of a document with citations. With a new bibliography, two passes follow: one reads it and writes
 * the labels of the entries, or their pages, and the other reads those.
 */
function awaitsBibliography({ output }: EngineRun, records: readonly PassRecord[]): boolean {
  const isFirst = records.length === 1 && records[0]?.before.size === 0
  return isFirst && output.kind === 'done' && output.value.facts.undefinedCount > 0
}

function isNewBibliography({ plan, hasChangedOutput }: ToolRun): boolean {
  return (plan.tool === 'biber' || plan.tool === 'bibtex') && hasChangedOutput
}

/** True if the pass that starts now is probably not the last: it has a new bibliography, or a new table of contents. */
function isAnotherLikely(records: readonly PassRecord[]): boolean {
  const isCold = records[0]?.before.size === 0
  return isCold && (records.length === 1 || (records.length === 2 && records.some((record) => record.hasNewToolOutput)))
}

/**
 * Commands that make LaTeX write data for the next pass to the `.aux`. `\r` is excluded because `^` also matches after it: a file
 * of nothing else would take quadratic time.
 */
const NEEDS_SECOND_PASS = /^[^%\r\n]*\\(?:tableofcontents|label|cite[a-z]*|bibliography|addbibresource|makeindex)\b/m

/** This runs on the main thread, so only the beginning of the root file is searched. */
const LOOKED_AT_BYTES = 256 * 1024

/**
 * True if a second pass is certain, so that the first can be a draft without pages.
 *
 * `auxPath`: auxiliary file of an earlier compile; with it, the first pass can be the last. A wrong guess costs one
 * more pass: a draft pass is never the last.
 */
export function expectsAnotherPass(
  job: Pick<ResolvedJob, 'passes' | 'rootFile' | 'files' | 'warmStartFiles'>,
  auxPath: string,
): boolean {
  if (job.passes !== 'auto') return job.passes > 1
  if ((job.warmStartFiles !== undefined && job.warmStartFiles.size > 0) || job.files.has(auxPath)) return false
  const root = job.files.get(job.rootFile)
  return root !== undefined && NEEDS_SECOND_PASS.test(latin1(root.subarray(0, LOOKED_AT_BYTES)))
}

/** Creates the folder of a file that TeX could not write; true if the pass should be repeated. */
async function createMissingFolder(unwritableFile: string | null, workspace: Workspace): Promise<boolean> {
  const path = unwritableFile === null ? null : toWorkspacePath(unwritableFile, workspace.folder)
  const folder = path === null ? '.' : posix.dirname(path)
  if (folder === '.' || folder.split('/').some((part) => part.startsWith('.'))) return false
  return workspace.makeFolder(folder)
}
