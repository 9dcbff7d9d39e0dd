import type { CompileJob } from './job.ts'
import { lastEngineRun, type Run } from './run.ts'

/** Files of the job that the last engine pass or any tool read, sorted. */
export function listInputs(job: CompileJob, runs: readonly Run[]): readonly string[] {
  const read = new Set(lastEngineRun(runs).recorder.inputs)
  for (const run of runs) if (run.kind === 'tool') for (const path of run.plan.reads) read.add(path)
  return [...read].filter((path) => job.files.has(path)).sort()
}
