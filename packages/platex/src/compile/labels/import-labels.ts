import type { EngineRow } from '../../engine/engines.ts'
import { decodeLine } from '../../log/decode-line.ts'
import type { Budget } from '../budget.ts'
import { latin1 } from '../canonical-digest.ts'
import { documentEnvironment } from '../document-environment.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import { jobPathsOf, toWorkspacePath } from '../job-paths.ts'
import type { ResolvedJob } from '../job.ts'
import { invocationOf } from '../readers/engine-command.ts'
import { fontMapFor } from '../readers/font-map.ts'
import { viewWorkspace } from '../workspace-view.ts'
import type { Workspace } from '../workspace.ts'
import { labelFileOf } from './label-memory.ts'

/** More than any project refers to. */
const MAX_DOCUMENTS = 8
const MAX_PREAMBLE_BYTES = 256 * 1024
const EXTERNAL_DOCUMENT = /\\z?externaldocument\*?(?:\[[^\]\n]{0,100}\]){0,3}\{([^{}\n]{1,200})\}/g
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

/** Imports the labels that the root file names, before the first pass, which would have to be repeated. */
export async function importLabelsAhead(context: LabelContext): Promise<void> {
  const { job, workspace } = context
  const missing: string[] = []
  for (const path of listNamedLabels(job)) if (!(await workspace.has(path))) missing.push(path)
  await importLabels(context, { missing, passNumber: 1 })
}

/** Other names are found by the first pass: in packages of the project, and made by macros. */
function listNamedLabels({ files, rootFile }: ResolvedJob): readonly string[] {
  const text = latin1((files.get(rootFile) ?? new Uint8Array()).subarray(0, MAX_PREAMBLE_BYTES))
  const { folder } = jobPathsOf(rootFile)
  // A document can name thousands, in one line.
  const commands = [...text.matchAll(EXTERNAL_DOCUMENT)].slice(0, 4 * MAX_DOCUMENTS)
  const found = commands.flatMap(({ index, 1: name = '' }) => {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    return line.includes('%') ? [] : (toWorkspacePath(`${decodeLine(name)}.aux`, folder) ?? [])
  })
  return [...new Set(found)]
}

/**
 * Runs the engine until the labels are stable. Returns the files that it has read. Without labels if the engine is ended: half of
 * the remaining time is for the document that imports them.
 */
async function compileForLabels(rootFile: string, context: LabelContext): Promise<ReadonlySet<string>> {
  const { workspace, budget } = context
  const untilMs = budget.remainingMs() / 2
  let pass = await runForLabels(rootFile, context, { timeoutMs: budget.remainingMs() - untilMs })
  for (let count = 2; count <= MAX_PASSES && pass.wantsAnother; count += 1)
    pass = await runForLabels(rootFile, context, { timeoutMs: budget.remainingMs() - untilMs })
  if (!pass.hasExited) await workspace.remove(labelFileOf(rootFile))
  return pass.inputs
}

interface LabelPass {
  readonly inputs: ReadonlySet<string>
  readonly hasExited: boolean
  readonly wantsAnother: boolean
}

async function runForLabels(
  rootFile: string,
  { job: mainJob, workspace, row, budget }: LabelContext,
  { timeoutMs }: { readonly timeoutMs: number },
): Promise<LabelPass> {
  const job = { ...mainJob, rootFile, synctex: false }
  const { folder } = jobPathsOf(rootFile)
  const place = { ...workspace.place, rootFile }
  await workspace.remove(viewWorkspace(place).outputPath('fls'))
  const { end } = await workspace.sandbox.run(
    {
      program: row.program,
      args: row.arguments(invocationOf(job, { isDraft: row.canDraft })),
      env: documentEnvironment(job, { folder }),
      ...fontMapFor(job, row),
    },
    { workspaceDir: workspace.dir, folder, timeoutMs: Math.max(1, timeoutMs), signal: budget.signal },
  )
  const request = { place, recorder: row.recorder, toolsFor: null, trace: null }
  const output = await inspect('inspectPass', request, inspectionOptions({ job, workspace, budget }))
  const hasExited = end.kind === 'exited'
  if (output.kind === 'fault') return { inputs: new Set(), hasExited, wantsAnother: false }
  const { facts, recorder } = output.value
  return { inputs: recorder.inputs, hasExited, wantsAnother: hasExited && facts.rerunPhrase !== null }
}
