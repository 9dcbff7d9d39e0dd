/**
 * The fixpoint loop: engine, tools that are due, decision, until nothing changes any more.
 *
 * `passes` 1, 2 and 3 run exactly so many engine passes; tools run between them only, since after the last pass nobody
 * would read what they make.
 */
import type { EngineRow } from '../../engine/types.ts'
import type { BibEngine } from '../../base/types.ts'
import type { Budget } from '../budget.ts'
import { convertMissingPictures, placeConvertedPictures } from './convert-missing-pictures.ts'
import { decideRerun, type Step, type Verdict } from './decide-rerun.ts'
import { hasStopped, wasKilled } from './has-stopped.ts'
import { isSurelyNotLast } from './is-surely-not-last.ts'
import type { CompileJob } from '../job.ts'
import { listBriefly, makeMissingFonts } from './make-missing-fonts.ts'
import { mendMissingFolder } from './mend-missing-folder.ts'
import { inspect, inspectionOptions, type Inspection } from '../inspect.ts'
import type { EngineRun, Run, ToolRun } from './run.ts'
import { runEnginePass } from './run-engine-pass.ts'
import { isVolatile, type State } from './state.ts'
import { readOwnToolRuns } from './read-own-tool-runs.ts'
import { runDueTools } from './run-due-tools.ts'
import type { ToolMemory } from '../tools/tool-memory.ts'
import { NO_DEMAND, type ToolDemand } from '../tools/types.ts'
import type { Workspace } from '../workspace.ts'

/** How the passes came to an end. */
export type PassesEnd =
  | { readonly kind: 'converged' }
  /** Exactly the passes that the caller asked for; nobody looked whether that was enough. */
  | { readonly kind: 'counted' }
  /** Something moves whenever it is resolved; `circle` = passes until it is back, null = it never comes back. */
  | { readonly kind: 'unstable'; readonly circle: number | null; readonly files: readonly string[] }
  /** A run was killed, or TeX gave up. */
  | { readonly kind: 'stopped' }
  /** What a pass left behind cannot be read; `fault` says why. */
  | { readonly kind: 'unreadable'; readonly fault: string }

/** All that happened. */
export interface PassTrail {
  readonly end: PassesEnd
  /** In the order of their start. */
  readonly runs: readonly Run[]
  /** What the document asked for after the last pass that tools followed. */
  readonly demand: ToolDemand
  readonly steps: readonly Step[]
}

/** What every step of the loop works with. */
export interface PassScene {
  readonly job: CompileJob
  readonly workspace: Workspace
  readonly budget: Budget
  readonly row: EngineRow
  readonly memory: ToolMemory
  /** METAFONT commands that TeX asked for in this compile so far. */
  readonly askedFonts: Set<string>
  /** Pictures that were to be converted → why one could not be, or null. */
  readonly pictures: Map<string, string | null>
}

export async function runPasses(scene: PassScene): Promise<PassTrail> {
  const wanted = scene.row.isWholePipeline ? 1 : scene.job.passes
  const auxPath = scene.workspace.outputPath('aux')
  const runs: Run[] = []
  const steps: Step[] = []
  let demand = NO_DEMAND
  let reason = 'first pass'
  const over = (end: PassesEnd): PassTrail => ({ end, runs, demand, steps })
  await placeConvertedPictures(scene)
  for (let count = 1; ; count += 1) {
    const isDraft = count === 1 && wanted !== 1 && scene.row.canDraft && isSurelyNotLast(scene.job, auxPath)
    const toolsFor = count === wanted ? null : scene.job.bibliography
    const pass = await runMendedPass(scene, { runs, reason, isDraft, toolsFor })
    if (hasStopped(pass)) return over({ kind: 'stopped' })
    if (scene.row.isWholePipeline) runs.push(...(await readOwnToolRuns(scene)))
    if (pass.record.kind === 'fault') return over({ kind: 'unreadable', fault: pass.record.message })
    if (count === wanted) return over({ kind: 'counted' })
    demand = pass.record.value.demand
    const tools = await runDueTools(demand.plans, { ...scene, afterPass: pass.passNumber })
    runs.push(...tools)
    scene.budget.signal?.throwIfAborted()
    if (tools.some(wasKilled)) return over({ kind: 'stopped' })
    const weighed = await weighPass(scene, { before: steps.at(-1)?.after ?? null, pass, tools })
    if (weighed.kind === 'fault') return over({ kind: 'unreadable', fault: weighed.message })
    const step = weighed.value
    const verdict = decideRerun(steps, step)
    steps.push(step)
    reason = reasonFor(verdict, count)
    if (wanted !== 'auto' || verdict.kind === 'rerun') continue
    if (verdict.kind === 'converged') {
      const why = step.isTrivial ? 'nothing in it needs another pass' : 'no file that the last pass read has changed'
      scene.job.onProgress?.({ kind: 'skipped', program: scene.row.program, reason: why })
      return over(verdict)
    }
    if (verdict.kind === 'circle') await goOnToBestPass(scene, { runs, length: verdict.length })
    return over({ kind: 'unstable', circle: verdict.kind === 'circle' ? verdict.length : null, files: verdict.files })
  }
}

interface PassDue {
  readonly runs: Run[]
  readonly reason: string
  readonly isDraft: boolean
  readonly toolsFor: BibEngine | null
}

/** Runs the engine, and again when fonts were missing that could be made, or a folder that nobody had made. */
async function runMendedPass(scene: PassScene, { runs, reason, ...due }: PassDue): Promise<EngineRun> {
  const pass = await runEnginePass({ row: scene.row, passNumber: nextNumber(runs), reason, ...due }, scene)
  runs.push(pass)
  scene.budget.signal?.throwIfAborted()
  if (wasKilled(pass)) return pass
  const fonts = await makeMissingFonts(scene, pass.passNumber)
  if (fonts.length > 0) return runMendedPass(scene, { runs, reason: `fonts were made: ${listBriefly(fonts)}`, ...due })
  const facts = pass.record.kind === 'done' ? pass.record.value.facts : null
  const pictures = await convertMissingPictures(scene, {
    requests: facts?.pictureRequests ?? [],
    passNumber: pass.passNumber,
  })
  if (pictures.length > 0) {
    return runMendedPass(scene, { runs, reason: `pictures were converted: ${listBriefly(pictures)}`, ...due })
  }
  if (!hasStopped(pass)) return pass
  if (!(await mendMissingFolder(facts?.unwritableFile ?? null, scene.workspace))) return pass
  return runMendedPass(scene, { runs, reason: 'a folder to write to was missing', ...due })
}

interface PassWithTools {
  /** Null before the first pass. */
  readonly before: State | null
  readonly pass: EngineRun
  readonly tools: readonly ToolRun[]
}

async function weighPass(scene: PassScene, { before, pass, tools }: PassWithTools): Promise<Inspection<Step>> {
  if (pass.record.kind === 'fault') return pass.record
  const { job, workspace } = scene
  const { recorder, facts } = pass.record.value
  return inspect(
    'takeStep',
    {
      place: workspace.place,
      before,
      brought: before === null ? listBrought(job, recorder.outputs) : new Map(),
      isDraft: pass.isDraft,
      recorder,
      facts,
      tools: tools.map(({ plan: { subject, outputs }, hasChangedOutput }) => ({ subject, outputs, hasChangedOutput })),
    },
    inspectionOptions(scene),
  )
}

/** What the job and its seed brought, of the files that the first pass wrote; all of the seed counts. */
function listBrought(job: CompileJob, outputs: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
  const brought = [...new Map([...job.files, ...(job.seed ?? [])])]
  return new Map(brought.filter(([path]) => !isVolatile(path) && (outputs.has(path) || job.seed?.has(path))))
}

function nextNumber(runs: readonly Run[]): number {
  return 1 + runs.filter((run) => run.passNumber !== null).length
}

function reasonFor(verdict: Verdict, count: number): string {
  return verdict.kind === 'rerun' ? verdict.reason : `pass ${count + 1} was asked for`
}

/**
 * On a circle every pass is as good as any other, unless one resolves more references: then the circle is followed to
 * that pass once more.
 */
async function goOnToBestPass(scene: PassScene, { runs, length }: { runs: Run[]; length: number }): Promise<void> {
  const round = runs.filter((run) => run.kind === 'engine').slice(-length)
  const undefinedCounts = round.map(({ record }) => (record.kind === 'done' ? record.value.facts.undefinedCount : 0))
  const best = undefinedCounts.lastIndexOf(Math.min(...undefinedCounts))
  if (best === length - 1) return
  for (let further = 0; further <= best; further += 1) {
    const reason = `pass ${further + 1} of a circle of ${length}`
    const pass = await runMendedPass(scene, { runs, reason, isDraft: false, toolsFor: null })
    if (hasStopped(pass)) return
  }
}
