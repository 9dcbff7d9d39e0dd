import { waitingEngineFor } from '../../src/compile/passes/waiting-engine.ts'
import { runPipeline } from '../../src/compile/run-pipeline.ts'
import type { CompileJob, CompileOutcome } from '../../src/compile/job.ts'
import { ENGINES } from '../../src/engine/engines.ts'
import { openSandbox } from '../../src/sandbox/open-sandbox.ts'
import type { Sandbox } from '../../src/sandbox/types.ts'
import { withoutMarks } from './compile-document.ts'

/** A sandbox that starts every program with its document and the whole font map, and one that keeps programs waiting. */
export interface BothSandboxes {
  readonly plain: Sandbox
  readonly waiting: Sandbox
}

export type DocumentJob = Pick<CompileJob, 'rootFile' | 'files' | 'engine'> & Partial<CompileJob>

/** Differs from the clock of the machine. */
export const EPOCH = 1_700_000_000

export async function openBoth(): Promise<BothSandboxes> {
  const [plain, waiting] = await Promise.all([openSandbox('required'), openSandbox('required', { maxWaiting: 2 })])
  const whole = { startAhead: () => {}, shortFontMap: null }
  return { plain: { ...plain.latest(), ...whole }, waiting: waiting.latest() }
}

/** Compiles with a plain start and with a waiting engine; returns whether one was waiting. */
export async function compileBoth(
  document: DocumentJob,
  { plain, waiting }: BothSandboxes,
): Promise<{ readonly plain: CompileOutcome; readonly waited: CompileOutcome; readonly hasWaited: boolean }> {
  const job = { timeoutMs: 120_000, sourceDateEpoch: EPOCH, ...document }
  const first = await compileWithFonts({ ...job, sandbox: plain })
  const hitsBefore = waiting.waitingStatus().hits
  await keepReady(job, waiting)
  const second = await runPipeline({ ...job, sandbox: waiting })
  return { plain: first, waited: second, hasWaited: waiting.waitingStatus().hits > hitsBefore }
}

/** Compiles again if fonts were made: they exist for all later compiles, and cost only this one further passes. */
async function compileWithFonts(job: CompileJob & { readonly sandbox: Sandbox }): Promise<CompileOutcome> {
  let hasMadeFonts = false
  const onProgress: CompileJob['onProgress'] = (event) => {
    if (event.kind === 'pass-started' && event.program === 'mktextfm') hasMadeFonts = true
  }
  const outcome = await runPipeline({ ...job, onProgress })
  return hasMadeFonts ? runPipeline(job) : outcome
}

/** Waits until an engine is ready for the job, if one can wait for it. */
export async function keepReady(job: DocumentJob, sandbox: Sandbox): Promise<void> {
  const command = waitingEngineFor({ ...job, sandbox }, ENGINES[job.engine])
  // Waiting engines do not keep the process alive.
  const keptAlive = setInterval(() => {}, 1_000)
  if (command !== null) await sandbox.keepWaiting(command)
  clearInterval(keptAlive)
}

/** The parts of an outcome that must not depend on the start of the engine. */
export function comparable({ result, synctex, inputs, aux }: CompileOutcome): Readonly<Record<string, unknown>> {
  return {
    pdf: withoutMarks(result.pdf),
    errors: result.errors,
    warnings: result.warnings,
    pages: result.pages,
    passes: result.stats?.passes,
    synctex: Buffer.from(synctex ?? []).toString('latin1'),
    inputs,
    aux: [...aux.keys()].sort(),
  }
}
