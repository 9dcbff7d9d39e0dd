/**
 * The story of one compile; each step is a file of the same name beside this one.
 *
 * LaTeX failures are values. What throws is a broken installation and the caller's own signal.
 */
import { posix } from 'node:path'
import { guardListener } from '../base/guard-listener.ts'
import { DEFAULTS } from '../base/defaults.ts'
import type { CompileResult, LatexWarning } from '../base/types.ts'
import { chooseEngine } from '../engine/choose-engine.ts'
import { addRemedies } from '../inventory/add-remedies.ts'
import { startBudget, type Budget } from './budget.ts'
import { inspect, inspectionOptions } from './inspect.ts'
import type { CompileJob, CompileOutcome, ResolvedJob } from './job.ts'
import { keepAux } from './keep-aux.ts'
import { makePdf } from './passes/make-pdf.ts'
import { runPasses } from './passes/run-passes.ts'
import type { PassScene } from './passes/run.ts'
import { lastEngineRun, recorderOf, type Run } from './passes/run.ts'
import { addExplanations } from './result/add-explanations.ts'
import { buildResult } from './result/build-result.ts'
import { readOutputs } from './result/read-outputs.ts'
import { listCarriedOver, setAsideProducts, warnOfIgnored } from './set-aside-products.ts'
import { MEMORY_NAME, openToolMemory } from './tools/tool-memory.ts'
import { withWorkspace, type Workspace } from './workspace.ts'

/**
 * Typesets one job in a fresh workspace.
 *
 * @throws PlatexError `NO_ENGINE` when there is nothing to typeset with, and the signal's reason on abort.
 */
export async function runPipeline(asked: CompileJob): Promise<CompileOutcome> {
  asked.signal?.throwIfAborted()
  const { files, ignored } = setAsideProducts(asked.files, asked.rootFile)
  const job = withDefaults(guardListener({ ...asked, files }))
  const budget = startBudget(job.timeoutMs, job.signal)
  const outcome = await typeset(job, budget)
  const stale = listStale(job, outcome)
  const settled = isMisled(job, outcome) || stale.length > 0 ? await typeset(withoutStart(job, stale), budget) : outcome
  job.signal?.throwIfAborted()
  return withWarnings(settled, warnOfIgnored([...ignored, ...stale]))
}

async function typeset(job: ResolvedJob, budget: Budget): Promise<CompileOutcome> {
  const row = chooseEngine(job.engine, job.sandbox)
  const memory = openToolMemory(job.seed?.get(MEMORY_NAME))
  return withWorkspace(job, async (workspace) => {
    const scene = {
      job,
      workspace,
      budget,
      row,
      memory,
      askedFonts: new Set<string>(),
      pictures: new Map<string, string | null>(),
    }
    const trail = await runPasses(scene)
    const pass = lastEngineRun(trail.runs)
    const driver = trail.end.kind === 'stopped' ? null : await makePdf(pass, scene)
    const result = await addRemedies(await buildResult({ scene, trail, pass, driver }), job.sandbox)
    const synctex = job.synctex ? await readSynctex(scene, recorderOf(pass).workingDir) : null
    return {
      result: await withOutputs(await addExplanations(result, scene), { job, workspace, synctex }),
      synctex,
      inputs: listInputs(job, trail.runs),
      aux: await keepAux(trail, scene),
    }
  })
}

async function withOutputs(
  result: CompileResult,
  { job, ...sources }: { job: CompileJob; workspace: Workspace; synctex: Uint8Array | null },
): Promise<CompileResult> {
  if (job.outputs === undefined || job.outputs.length === 0) return result
  const { outputs, warnings } = await readOutputs(job.outputs, sources)
  return { ...result, outputs, warnings: [...result.warnings, ...warnings] }
}

async function readSynctex(scene: PassScene, workingDir: string | null): Promise<Uint8Array | null> {
  const { place } = scene.workspace
  const data = await inspect('readSynctex', { place, workingDir }, inspectionOptions(scene))
  return data.kind === 'done' ? data.value.bytes : null
}

/**
 * One moment for the whole compile, whatever midnight falls into it; and no seed for a counted number of passes, which
 * must give the same whatever was compiled before.
 */
function withDefaults(job: CompileJob): ResolvedJob {
  const passes = job.passes ?? DEFAULTS.passes
  return {
    ...job,
    passes,
    bibliography: job.bibliography ?? DEFAULTS.bibliography,
    synctex: job.synctex || (job.outputs?.includes('synctex') ?? false),
    sourceDateEpoch: job.sourceDateEpoch ?? Math.floor(Date.now() / 1000),
    seed: passes === 'auto' ? job.seed : undefined,
  }
}

/** A seed may lead to where the passes never agree; a clean start has the right to show that it does not. */
function isMisled(job: CompileJob, outcome: CompileOutcome): boolean {
  const hadSeed = job.seed !== undefined && job.seed.size > 0
  return hadSeed && outcome.aux.size === 0 && outcome.result.logs.every((log) => !log.timedOut)
}

/** Auxiliary files that came with the project and that TeX could not read: from another engine, or another day. */
function listStale(job: CompileJob, { result }: CompileOutcome): readonly string[] {
  const carriedOver = listCarriedOver(job.files.keys(), job.rootFile)
  const isBroken = result.errors.some(({ file }) => file !== null && carriedOver.includes(file))
  return isBroken ? carriedOver : []
}

function withoutStart(job: ResolvedJob, stale: readonly string[]): ResolvedJob {
  return { ...job, seed: undefined, files: new Map([...job.files].filter(([path]) => !stale.includes(path))) }
}

function withWarnings(outcome: CompileOutcome, warnings: readonly LatexWarning[]): CompileOutcome {
  if (warnings.length === 0) return outcome
  return { ...outcome, result: { ...outcome.result, warnings: [...outcome.result.warnings, ...warnings] } }
}

/** Files of the job that the last engine pass or any tool read, and pictures that were read as PDF; sorted. */
export function listInputs(job: CompileJob, runs: readonly Run[]): readonly string[] {
  const read = new Set(recorderOf(lastEngineRun(runs)).inputs)
  for (const run of runs) if (run.kind === 'tool') for (const path of run.plan.reads) read.add(path)
  const drawn = new Set([...read].flatMap((path) => /svg-inkscape\/([^/]+)_svg-/.exec(path)?.[1] ?? []))
  const isInput = (path: string) =>
    read.has(path) ||
    read.has(path.replace(/\.eps$/, '-eps-converted-to.pdf')) ||
    (path.endsWith('.svg') && drawn.has(posix.basename(path, '.svg')))
  return [...job.files.keys()].filter(isInput).sort()
}
