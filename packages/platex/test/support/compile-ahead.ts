import { prepareReaders } from '../../src/compile/sessions/prepare-readers.ts'
import { firstDifference } from '../../src/compile/readers/choose-starts.ts'
import { resolveJob, runPipeline } from '../../src/compile/run-pipeline.ts'
import type { CompileJob, CompileOutcome } from '../../src/compile/job.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { EPOCH, type BothSandboxes, type DocumentJob } from './compare-starts.ts'

export interface Edit {
  readonly before: DocumentJob
  readonly after: DocumentJob
  /** Whether the place of the edit is known, so that more than the preamble is read. */
  readonly isPlaceKnown: boolean
}

export interface EditOutcomes {
  /** The edited document, from the auxiliary files of the first compile, by an engine that starts with it. */
  readonly plain: CompileOutcome
  /** Outcome of an engine that had read ahead, if there was one. */
  readonly ahead: CompileOutcome
  readonly hasReadAhead: boolean
}

/** Compiles a document, lets engines read ahead, and compiles the edited document in two ways. */
export async function compileEdit(
  { before, after, isPlaceKnown }: Edit,
  { plain, waiting }: BothSandboxes,
): Promise<EditOutcomes> {
  const document = { owner: 'alice', key: crypto.randomUUID() }
  const common = { timeoutMs: 120_000, sourceDateEpoch: EPOCH }
  let newWorkspaces = 0
  const counting: Sandbox = {
    ...waiting,
    createWorkspace: (inputs, options) => {
      // Compiles name their program, and readers do not.
      if (options?.wanted !== undefined) newWorkspaces += 1
      return waiting.createWorkspace(inputs, options)
    },
  }
  const first = await runPipeline({ ...common, ...before, sandbox: plain })
  const warm: Pick<CompileJob, 'warmStartFiles'> = { warmStartFiles: first.aux }
  const { job } = resolveJob({ ...common, ...before, ...warm, sandbox: counting })
  const editedAt = isPlaceKnown ? placeOf(before, after) : null
  await keptAlive(() => prepareReaders(job, { document, editedAt }))
  const ahead = await runPipeline({ ...common, ...after, ...warm, document, sandbox: counting })
  const hasReadAhead = newWorkspaces === 0
  return { plain: await runPipeline({ ...common, ...after, ...warm, sandbox: plain }), ahead, hasReadAhead }
}

/** Keeps the process alive during `work`, because waiting programs do not. */
export async function keptAlive<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {}, 1_000)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

function placeOf(before: DocumentJob, after: DocumentJob): number | null {
  const [one, other] = [before, after].map(({ files, rootFile }) => files.get(rootFile) ?? new Uint8Array())
  return one === undefined || other === undefined ? null : firstDifference(one, other)
}
