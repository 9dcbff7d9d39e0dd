import { ENGINES } from '../../src/engine/engines.ts'
import { startBudget } from '../../src/compile/budget.ts'
import { buildResult } from '../../src/compile/result/build-result.ts'
import type { ResolvedJob } from '../../src/compile/job.ts'
import { makePdf } from '../../src/compile/passes/make-pdf.ts'
import { lastEngineRun } from '../../src/compile/passes/run.ts'
import { runEnginePass } from '../../src/compile/passes/run-engine-pass.ts'
import { runPasses } from '../../src/compile/passes/run-passes.ts'
import type { PassContext, PassHistory } from '../../src/compile/passes/run.ts'
import { openToolMemory } from '../../src/compile/tools/tool-memory.ts'
import { withWorkspace } from '../../src/compile/workspace.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import type { CompileResult } from '../../src/base/types.ts'
import type { CorpusDocument } from './read-corpus.ts'

/** Time of all corpus documents. */
export const EPOCH = 1_700_000_000

export interface CompiledDocument {
  readonly history: PassHistory
  readonly result: CompileResult
  /** The PDF after further passes in the same workspace; null if there is none. */
  readonly laterPdf: Uint8Array | null
}

/** A job for a corpus document. */
export function corpusJob(document: Pick<CorpusDocument, 'files' | 'engine'>, sandbox: Sandbox): ResolvedJob {
  return {
    rootFile: 'main.tex',
    files: document.files,
    engine: document.engine,
    passes: 'auto',
    bibliography: 'bibtex',
    timeoutMs: 120_000,
    synctex: false,
    sourceDateEpoch: EPOCH,
    sandbox,
  }
}

/** Compiles like a build of a project, then runs the engine `furtherPasses` more times in the same workspace. */
export async function compileDocument(
  document: CorpusDocument,
  { sandbox, furtherPasses }: { sandbox: Sandbox; furtherPasses: number },
): Promise<CompiledDocument> {
  const job = { ...corpusJob(document, sandbox), waitsForFonts: true }
  // On a new machine, the index alone could take the time of the document.
  if (ENGINES[job.engine].program === 'lualatex') await sandbox.prepareFonts()
  return withWorkspace(job, async (workspace) => {
    const budget = startBudget(job.timeoutMs)
    const row = ENGINES[job.engine]
    const memory = openToolMemory(undefined)
    const pictures = new Map<string, string | null>()
    const labelSources = new Map<string, ReadonlySet<string>>()
    const context = { job, workspace, budget, row, memory, requestedFonts: new Set<string>(), pictures, labelSources }
    const history = await runPasses(context)
    const pass = lastEngineRun(history.runs)
    const result = await buildResult({ context, history, pass, driver: await makePdf(pass, context) })
    return { history, result, laterPdf: await passFurther(context, furtherPasses) }
  })
}

async function passFurther(context: PassContext, count: number): Promise<Uint8Array | null> {
  const order = { row: context.row, reason: 'to compare', isDraft: false, begun: null, toolsFor: null }
  if (count === 0) return null
  let pass = await runEnginePass({ ...order, passNumber: 1 }, context)
  for (let number = 2; number <= count; number += 1)
    pass = await runEnginePass({ ...order, passNumber: number }, context)
  await makePdf(pass, context)
  return context.workspace.read(context.workspace.outputPath('pdf'))
}

/** A PDF without identifier and dates, which differ between runs. */
export function withoutMarks(pdf: Uint8Array | null): string {
  const text = Buffer.from(pdf ?? []).toString('latin1')
  return text
    .replace(/\/ID ?\[ ?<[0-9A-Fa-f]*> ?<[0-9A-Fa-f]*> ?\]/g, '/ID[]')
    .replace(/\/(?:CreationDate|ModDate) ?\([^)]*\)/g, '')
    .replace(/uuid:[0-9a-f-]{36}/gi, 'uuid:')
}
