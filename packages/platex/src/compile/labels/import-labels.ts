import type { EngineRow } from '../../engine/engines.ts'
import type { Budget } from '../budget.ts'
import { documentEnvironment } from '../document-environment.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { jobPathsOf } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { invocationOf } from '../readers/engine-command.ts'
import { fontMapFor } from '../readers/font-map.ts'
import { viewWorkspace } from '../workspace-view.ts'
import type { Workspace } from '../workspace.ts'

/** More than any project refers to. */
const MAX_DOCUMENTS = 8
/** A table of contents moves the pages of the second pass. */
const MAX_PASSES = 3

/** Context of an import: the values of its compile. */
interface LabelContext {
  readonly job: ResolvedJob
  readonly workspace: Workspace
  readonly budget: Budget
  readonly row: EngineRow
  readonly labelSources: Map<string, ReadonlySet<string>>
}

/** The `.aux` files that the last pass lacked, and its number. */
interface LabelRequest {
  readonly missing: readonly string[]
  readonly passNumber: number
}

/**
 * Compiles other documents of the project whose labels a document imports, such as its supplement, and returns the names of
 * the files with labels; empty if the pass need not be repeated. Authors have these files from their own compiles.
 */
export async function importLabels(
  context: LabelContext,
  { missing, passNumber }: LabelRequest,
): Promise<readonly string[]> {
  const { job, workspace, row, budget, labelSources } = context
  if (row.isWholePipeline) return []
  const found: string[] = []
  for (const auxPath of missing) {
    const document = auxPath.replace(/\.aux$/, '.tex')
    if (!job.files.has(document) || labelSources.has(document) || labelSources.size >= MAX_DOCUMENTS) continue
    const startedAt = performance.now()
    job.onProgress?.({ kind: 'pass-started', passNumber, program: row.program, reason: `labels of ${document}` })
    labelSources.set(document, await compileForLabels(document, context))
    job.onProgress?.({
      kind: 'pass-ended',
      passNumber,
      program: row.program,
      durationMs: performance.now() - startedAt,
    })
    budget.signal?.throwIfAborted()
    if (await workspace.has(auxPath)) found.push(auxPath)
  }
  return found
}

/** Runs the engine until the labels are stable. Returns the files that it has read. */
async function compileForLabels(
  rootFile: string,
  { job: mainJob, workspace, row, budget }: LabelContext,
): Promise<ReadonlySet<string>> {
  const job = { ...mainJob, rootFile, synctex: false }
  const { folder } = jobPathsOf(rootFile)
  const view = viewWorkspace({ ...workspace.place, rootFile })
  let inputs: ReadonlySet<string> = new Set()
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    await workspace.remove(view.outputPath('fls'))
    const { end } = await workspace.sandbox.run(
      {
        program: row.program,
        args: row.arguments(invocationOf(job, { isDraft: row.canDraft })),
        env: documentEnvironment(job, { folder }),
        ...fontMapFor(job, row),
      },
      { workspaceDir: workspace.dir, folder, timeoutMs: budget.remainingMs(), signal: budget.signal },
    )
    const place = { ...workspace.place, rootFile }
    const request = { place, recorder: row.recorder, toolsFor: null, trace: null }
    const output = await inspect('inspectPass', request, inspectionOptions({ job, workspace, budget }))
    if (output.kind === 'fault') return inputs
    inputs = output.value.recorder.inputs
    if (end.kind !== 'exited' || output.value.facts.rerunPhrase === null) return inputs
  }
  return inputs
}
