/**
 * One compile: passes, PDF, diagnostics, warm-start files.
 *
 * LaTeX failures are values. Only a missing engine and the caller's signal throw.
 */
import { posix } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardListener } from '../base/guard-listener.ts'
import { DEFAULTS } from '../base/defaults.ts'
import type { CompileResult, LatexWarning } from '../base/types.ts'
import { chooseEngine } from '../engine/choose-engine.ts'
import type { FontFile } from '../sandbox/types.ts'
import { addRemedies } from '../inventory/add-remedies.ts'
import { startBudget, type Budget } from './budget.ts'
import { inspect, inspectionOptions } from './inspect.ts'
import type { CompileJob, CompileOutcome, LocalOutcome, ResolvedJob } from './job.ts'
import { fittingStart, keepAux, listObsolete, plansOf, readsObsoleteFile } from './keep-aux.ts'
import { makePdf } from './passes/make-pdf.ts'
import { runPasses } from './passes/run-passes.ts'
import type { PassContext, PassesEnd, PassHistory } from './passes/run.ts'
import { lastEngineRun, recorderOf, wasCut, type EngineRun } from './passes/run.ts'
import type { PageDescription } from './preview/describe-pages.ts'
import { addExplanations } from './result/add-explanations.ts'
import { buildResult } from './result/build-result.ts'
import { listParsedFonts } from './facts/list-parsed-fonts.ts'
import { readOutputs } from './result/read-outputs.ts'
import { listCarriedOver, separateBuildProducts, warnOfIgnored } from './separate-build-products.ts'
import { readLabelSources, withoutChangedLabels } from './labels/label-memory.ts'
import { MEMORY_NAME, openToolMemory } from './tools/tool-memory.ts'
import { withWorkspace } from './workspace.ts'

/** After this time, the compile indexes the fonts itself, which it cannot finish in its time limit: the index took longer. */
const MAX_FONTS_MS = 900_000
/** A finished index is found sooner, and nothing is worth reporting. */
const UNNOTICED_MS = 200

/**
 * Compiles one job in a new workspace.
 *
 * @throws PlatexError `NO_ENGINE` if no engine is installed; the reason of the signal on abort.
 */
export async function runPipeline(asked: CompileJob): Promise<LocalOutcome> {
  asked.signal?.throwIfAborted()
  const { job, ignored } = resolveJob(asked)
  if (job.waitsForFonts === true) await waitForFonts(job)
  const budget = startBudget(job.timeoutMs, job.signal)
  const first = await compileOnce(job, budget)
  const stale = listStale(job, first.outcome)
  const isRepeated = isMisled(job, first) || stale.length > 0
  const last = isRepeated ? await compileOnce(withoutStart(job, stale), budget) : first
  job.signal?.throwIfAborted()
  // A repeat that ran out of time tells the author less than the first compile.
  if (first.outcome.isComplete && !last.outcome.isComplete)
    return withWarnings({ ...first.outcome, isComplete: false }, warnOfIgnored(ignored))
  return withWarnings(last.outcome, warnOfIgnored([...ignored, ...stale]))
}

/** A job with every default, and what of its files is ignored. */
export function resolveJob(asked: CompileJob): { readonly job: ResolvedJob; readonly ignored: readonly string[] } {
  const { files, ignored } = separateBuildProducts(asked.files, asked.rootFile)
  return { job: withDefaults(guardListener({ ...asked, files })), ignored }
}

/**
 * Indexing the fonts of a new installation takes a minute or two on a small machine. That time is not the document's:
 * counted, the first compiles with LuaLaTeX would meet their time limit. The compile API counts it, because there the limit
 * is a promise to the caller.
 */
async function waitForFonts({ engine, sandbox, signal, onProgress }: ResolvedJob): Promise<void> {
  if (chooseEngine(engine, sandbox).program !== 'lualatex') return
  const program = 'luaotfload-tool'
  const startedAt = performance.now()
  const prepared = sandbox.prepareFonts()
  const isReady = await Promise.race([prepared.then(() => true), sleep(UNNOTICED_MS, false, { ref: false })])
  if (isReady) return
  onProgress?.({ kind: 'pass-started', passNumber: 1, program, reason: 'index the fonts of this machine, once' })
  const options = { ref: false, ...(signal === undefined ? {} : { signal }) }
  try {
    await Promise.race([prepared, sleep(MAX_FONTS_MS, undefined, options)])
  } finally {
    signal?.throwIfAborted()
  }
  onProgress?.({ kind: 'pass-ended', passNumber: 1, program, durationMs: performance.now() - startedAt })
}

interface FinishedCompile {
  readonly outcome: LocalOutcome
  readonly end: PassesEnd
  readonly hasReadObsolete: boolean
}

async function compileOnce(job: ResolvedJob, budget: Budget): Promise<FinishedCompile> {
  const row = chooseEngine(job.engine, job.sandbox)
  const kept = job.warmStartFiles ?? new Map<string, Uint8Array>()
  const memory = openToolMemory(kept.get(MEMORY_NAME), { given: job.files, kept })
  return withWorkspace(job, async (workspace) => {
    const context = {
      job,
      workspace,
      budget,
      row,
      memory,
      requestedFonts: new Set<string>(),
      pictures: new Map<string, string | null>(),
      labelSources: readLabelSources(job.warmStartFiles),
    }
    const history = await runPasses(context)
    const fonts = history.runs.flatMap((run) => (run.kind === 'engine' ? listFonts(run) : []))
    job.sandbox.keepFonts(fonts)
    if (history.runs.some(({ report }) => wasCut(report))) budget.noteDisturbance()
    const [described, aux] = await Promise.all([describeResult(history, context), keepAux(history, context)])
    const warnings = [
      ...(fonts.length > 0 && isStoppedByLimit(history) ? [warningOf(NEW_FONTS)] : []),
      ...(context.requestedFonts.size > 0 && budget.remainingMs() === 0 ? [warningOf(MADE_FONTS)] : []),
    ]
    const isComplete = !budget.isDisturbed()
    const outcome = withWarnings({ ...described, aux, isComplete, sought: listSought(job, history) }, warnings)
    return { outcome, end: history.end, hasReadObsolete: await readsObsoleteFile(history, context) }
  })
}

const NEW_FONTS =
  'LuaLaTeX loaded the fonts of this document for the first time, which is slow. They are now being prepared in the ' +
  'background: compile again in a minute.'
const MADE_FONTS =
  'METAFONT generated fonts for this document for the first time, which is slow. Finished fonts were kept. Compile again.'

function warningOf(message: string): LatexWarning {
  return { type: 'warning', code: 'other', file: null, line: null, message }
}

function isStoppedByLimit({ runs }: PassHistory): boolean {
  const { end } = lastEngineRun(runs).report
  return end.kind === 'timed-out' || end.kind === 'limit-exceeded'
}

function listFonts(run: EngineRun): readonly FontFile[] {
  return run.row.program === 'lualatex' ? listParsedFonts(recorderOf(run).names) : []
}

/** Everything about the passes that the next compile does not need. */
async function describeResult(history: PassHistory, context: PassContext): Promise<Omit<CompileOutcome, 'aux'>> {
  const { job, budget } = context
  const pass = lastEngineRun(history.runs)
  const driver = history.end.kind === 'stopped' ? null : await makePdf(pass, context)
  if (driver !== null && wasCut(driver)) budget.noteDisturbance()
  const [result, { synctex, pages }] = await Promise.all([
    buildResult({ context, history, pass, driver }).then((built) => addRemedies(built, job.sandbox)),
    readPlaces(context, recorderOf(pass).workingDir),
  ])
  return {
    result: await withOutputs(await addExplanations(result, context), { history, context, synctex }),
    synctex,
    inputs: listInputs(job, history, context.labelSources),
    pages: result.pdf === null ? undefined : pages,
  }
}

interface WrittenOutputs {
  readonly history: PassHistory
  readonly context: PassContext
  readonly synctex: Uint8Array | null
}

async function withOutputs(
  result: CompileResult,
  { history, context, synctex }: WrittenOutputs,
): Promise<CompileResult> {
  const { job, workspace } = context
  if (job.outputs === undefined || job.outputs.length === 0) return result
  const { outputs, warnings } = await readOutputs(job.outputs, {
    synctex,
    workspace,
    obsolete: new Set(await listObsolete(history, context)),
  })
  return { ...result, outputs, warnings: [...result.warnings, ...warnings] }
}

interface Places {
  readonly synctex: Uint8Array | null
  readonly pages: PageDescription | undefined
}

/** The SyncTeX data and the pages, as far as they are wanted. */
async function readPlaces(context: PassContext, workingDir: string | null): Promise<Places> {
  const { describePages, synctex } = context.job
  const request = { place: context.workspace.place, workingDir }
  const options = inspectionOptions(context)
  if (describePages !== undefined) {
    const found = await inspect('describePages', { ...request, ...describePages }, options)
    return found.kind === 'done'
      ? { synctex: synctex ? found.value.bytes : null, pages: found.value.pages }
      : { synctex: null, pages: undefined }
  }
  const data = synctex ? await inspect('readSynctex', request, options) : null
  return { synctex: data?.kind === 'done' ? data.value.bytes : null, pages: undefined }
}

/**
 * All passes have the same time, even across midnight. A fixed number of passes ignores warm-start files, so that its result
 * does not depend on earlier compiles.
 */
function withDefaults(job: CompileJob): ResolvedJob {
  const passes = job.passes ?? DEFAULTS.passes
  return {
    ...job,
    passes,
    bibliography: job.bibliography ?? DEFAULTS.bibliography,
    synctex: job.synctex || (job.outputs?.includes('synctex') ?? false),
    sourceDateEpoch: job.sourceDateEpoch ?? Math.floor(Date.now() / 1000),
    warmStartFiles:
      passes === 'auto' ? withoutChangedLabels({ files: job.files, warmStartFiles: fittingStart(job) }) : undefined,
  }
}

/** Warm-start files can prevent convergence, or be obsolete: such a compile is repeated without them. */
function isMisled(job: CompileJob, { outcome, end, hasReadObsolete }: FinishedCompile): boolean {
  const wasWarm = job.warmStartFiles !== undefined && job.warmStartFiles.size > 0
  return wasWarm && outcome.isComplete && (hasReadObsolete || end.kind === 'unstable' || end.kind === 'stopped')
}

/** Auxiliary files of the project that TeX could not read, for example from another engine. */
function listStale(job: CompileJob, { result }: CompileOutcome): readonly string[] {
  const carriedOver = listCarriedOver(job.files.keys(), job.rootFile)
  const isBroken = result.errors.some(({ file }) => file !== null && carriedOver.includes(file))
  return isBroken ? carriedOver : []
}

function withoutStart(job: ResolvedJob, stale: readonly string[]): ResolvedJob {
  return { ...job, warmStartFiles: undefined, files: new Map([...job.files].filter(([path]) => !stale.includes(path))) }
}

function withWarnings(outcome: LocalOutcome, warnings: readonly LatexWarning[]): LocalOutcome {
  if (warnings.length === 0) return outcome
  return { ...outcome, result: { ...outcome.result, warnings: [...outcome.result.warnings, ...warnings] } }
}

/**
 * Files of the job that the last engine pass read, or any tool in this compile or in the one whose result was kept, and
 * pictures that were read as PDF; sorted.
 */
function listInputs(
  job: CompileJob,
  history: PassHistory,
  labelSources: PassContext['labelSources'],
): readonly string[] {
  const read = new Set(recorderOf(lastEngineRun(history.runs)).inputs)
  for (const path of plansOf(history).flatMap((plan) => plan.reads)) read.add(path)
  for (const path of [...labelSources.values()].flatMap((inputs) => [...inputs])) read.add(path)
  const drawn = new Set([...read].flatMap((path) => /svg-inkscape\/([^/]+)_svg-/.exec(path)?.[1] ?? []))
  const isInput = (path: string) =>
    read.has(path) ||
    read.has(path.replace(/\.eps$/, '-eps-converted-to.pdf')) ||
    (path.endsWith('.svg') && drawn.has(posix.basename(path, '.svg')))
  return [...job.files.keys()].filter(isInput).sort()
}

/**
 * Files that LaTeX did without, such as the file of an `\include`, and files that would replace a file of the TeX
 * installation. Files that passes and tools write do not belong to the project.
 */
function listSought(job: CompileJob, history: PassHistory): readonly string[] {
  const pass = lastEngineRun(history.runs)
  const { names, outputs, workingDir } = recorderOf(pass)
  const missed = pass.output.kind === 'done' ? pass.output.value.facts.missed : []
  const folder = posix.dirname(job.rootFile)
  const isInstalled = (name: string): boolean =>
    posix.isAbsolute(name) && (workingDir === null || !name.startsWith(`${workingDir}/`))
  const installed = names.filter(isInstalled).map((name) => posix.join(folder, posix.basename(name)))
  const made = new Set([...outputs, ...plansOf(history).flatMap((plan) => plan.outputs)])
  return [...new Set([...missed, ...installed])].filter((path) => !made.has(path) && !job.files.has(path)).sort()
}
