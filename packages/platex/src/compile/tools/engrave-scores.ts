import { posix } from 'node:path'
import { documentEnvironment } from '../document-environment.ts'
import { explainRun } from '../../sandbox/pictures/explain-run.ts'
import type { Budget } from '../budget.ts'
import type { ResolvedJob } from '../job.ts'
import type { Workspace } from '../workspace.ts'

/** More than a book of chant contains. */
const MAX_SCORES = 500

/** Context of a conversion: the values of its compile. */
interface ScoreContext {
  readonly job: ResolvedJob
  readonly workspace: Workspace
  readonly budget: Budget
  /** Converted file → the reason why that failed, or null. */
  readonly pictures: Map<string, string | null>
}

/**
 * Converts the scores of a project for GregorioTeX and returns their names; empty if the pass need not be repeated.
 * `version`: of GregorioTeX, which has not found a converted score; or null.
 *
 * GregorioTeX starts `gregorio` itself, which restricted shell escape allows and we do not. TeX stops at the first score that
 * is missing, so all are converted at once.
 */
export async function engraveScores(
  context: ScoreContext,
  { version, passNumber }: { readonly version: string | null; readonly passNumber: number },
): Promise<readonly string[]> {
  const { job, workspace, pictures } = context
  if (version === null || !workspace.sandbox.has('gregorio')) return []
  const scores = listScores(job).filter((path) => !pictures.has(path))
  const engraved = await engraveAll(scores.slice(0, MAX_SCORES), { version, passNumber, context })
  for (const [path, problem] of engraved) pictures.set(path, problem)
  return [...engraved].flatMap(([path, problem]) => (problem === null ? [path] : []))
}

/**
 * Converts the scores before the first pass, which would stop at the first of them. If GregorioTeX has another version than the
 * program, or a conversion fails, the pass asks for them again.
 */
export async function engraveScoresAhead(context: ScoreContext): Promise<void> {
  const { job, workspace } = context
  const scores = listScores(job).slice(0, MAX_SCORES)
  if (scores.length === 0 || !workspace.sandbox.has('gregorio') || !loadsGregorio(job)) return
  const answer = await workspace.sandbox.ask('gregorio', ['--version'])
  const version = /^Gregorio (\d{1,3}\.\d{1,3}\.\d{1,3})\b/.exec(answer ?? '')?.[1]?.replaceAll('.', '_')
  if (version !== undefined) await engraveAll(scores, { version, passNumber: 1, context })
}

function listScores({ files }: ResolvedJob): readonly string[] {
  return [...files.keys()].filter((path) => path.endsWith('.gabc'))
}

function loadsGregorio({ files }: ResolvedJob): boolean {
  return [...files].some(
    ([path, bytes]) =>
      /\.(?:tex|sty|cls)$/.test(path) &&
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('gregoriotex'),
  )
}

/** Returns the reason of each failure, or null. */
async function engraveAll(
  scores: readonly string[],
  order: { readonly version: string; readonly passNumber: number; readonly context: ScoreContext },
): Promise<ReadonlyMap<string, string | null>> {
  const engraved = new Map<string, string | null>()
  if (scores.length === 0) return engraved
  const { job, budget } = order.context
  const { passNumber } = order
  const program = 'gregorio'
  const startedAt = performance.now()
  job.onProgress?.({ kind: 'pass-started', passNumber, program, reason: `scores to convert: ${scores.length}` })
  for (const path of scores) engraved.set(path, await engraveOne(path, order))
  job.onProgress?.({ kind: 'pass-ended', passNumber, program, durationMs: performance.now() - startedAt })
  budget.signal?.throwIfAborted()
  return engraved
}

/** Returns the reason of a failure, or null. */
async function engraveOne(
  path: string,
  { version, context: { job, workspace, budget } }: { readonly version: string; readonly context: ScoreContext },
): Promise<string | null> {
  const source = posix.relative(workspace.folder, path)
  const report = await workspace.sandbox.run(
    {
      program: 'gregorio',
      args: ['-W', '-o', `./${engravedName(source, version)}`, `./${source}`],
      env: documentEnvironment(job, workspace),
    },
    { workspaceDir: workspace.dir, folder: workspace.folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
  )
  const { end } = report
  return end.kind === 'exited' && end.exitCode === 0 ? null : explainRun('gregorio', report)
}

/** The name under which GregorioTeX looks for a converted score: `kyrie.gabc` → `kyrie-6_0_0.gtex`. */
function engravedName(source: string, version: string): string {
  const stem = posix.basename(source, '.gabc').replaceAll(/[\s+&*?$@:;!"'`]/g, '-')
  return posix.join(posix.dirname(source), `${stem}-${version}.gtex`)
}
