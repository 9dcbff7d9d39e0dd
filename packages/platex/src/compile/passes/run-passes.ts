/**
 * The fixpoint loop: engine, tools that are due, decision, until nothing changes any more.
 *
 * `passes` 1, 2 and 3 run exactly so many engine passes; tools run between them only, since after the last pass nobody
 * would read what they make.
 */
import { posix } from 'node:path'
import type { BibEngine } from '../../base/types.ts'
import { latin1 } from '../canonical-digest.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { toWorkspacePath } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { NO_DEMAND } from '../tools/types.ts'
import type { Workspace } from '../workspace.ts'
import { convertMissingPictures, placeConvertedPictures } from './convert-missing-pictures.ts'
import { decideRerun, type Step, type Verdict } from './decide-rerun.ts'
import { listBriefly, makeMissingFonts } from './make-missing-fonts.ts'
import { readOwnToolRuns } from './read-own-tool-runs.ts'
import { runDueTools } from './run-due-tools.ts'
import { runEnginePass } from './run-engine-pass.ts'
import {
  hasStopped,
  wasKilled,
  type EngineRun,
  type Inspection,
  type PassesEnd,
  type PassScene,
  type PassTrail,
  type Run,
  type ToolRun,
} from './run.ts'
import { isVolatile, type State } from './state.ts'

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
function listBrought(job: ResolvedJob, outputs: ReadonlySet<string>): ReadonlyMap<string, Uint8Array> {
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

/** Words that make LaTeX write to the `.aux` what the next pass needs. */
const NEEDS_SECOND_PASS = /^[^%\n]*\\(?:tableofcontents|label|cite[a-z]*|bibliography|addbibresource|makeindex)\b/m

/** Read on the main thread before the first pass; the guess need not look at a whole book. */
const LOOKED_AT_BYTES = 256 * 1024

/**
 * True when a second pass will follow the first whatever it brings, so nobody will look at the pages of the first.
 *
 * `auxPath`: where the pass before would have left its notes; with them the first pass may well be the last.
 * A wrong guess costs a pass and never a page: a draft pass is never the last.
 */
export function isSurelyNotLast(job: ResolvedJob, auxPath: string): boolean {
  if (job.passes !== 'auto') return job.passes > 1
  if ((job.seed !== undefined && job.seed.size > 0) || job.files.has(auxPath)) return false
  const root = job.files.get(job.rootFile)
  return root !== undefined && NEEDS_SECOND_PASS.test(latin1(root.subarray(0, LOOKED_AT_BYTES)))
}

/**
 * Makes the folder of a file that TeX could not write, when that is what stopped it; true when the pass is worth
 * repeating.
 */
export async function mendMissingFolder(unwritableFile: string | null, workspace: Workspace): Promise<boolean> {
  const path = unwritableFile === null ? null : toWorkspacePath(unwritableFile, workspace.folder)
  const folder = path === null ? '.' : posix.dirname(path)
  if (folder === '.' || folder.split('/').some((part) => part.startsWith('.'))) return false
  return workspace.makeFolder(folder)
}
