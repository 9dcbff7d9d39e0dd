import { posix } from 'node:path'
import type { CompileJob } from './job.ts'
import { lastEngineRun, type Run } from './run.ts'

/** Files of the job that the last engine pass or any tool read, and pictures that were read as PDF; sorted. */
export function listInputs(job: CompileJob, runs: readonly Run[]): readonly string[] {
  const read = new Set(lastEngineRun(runs).recorder.inputs)
  for (const run of runs) if (run.kind === 'tool') for (const path of run.plan.reads) read.add(path)
  return [...job.files.keys()].filter((path) => read.has(path) || isConverted(path, read)).sort()
}

/** True for a picture of which the pass read the PDF. */
function isConverted(path: string, read: ReadonlySet<string>): boolean {
  if (path.endsWith('.eps')) return read.has(path.replace(/\.eps$/, '-eps-converted-to.pdf'))
  if (!path.endsWith('.svg')) return false
  const pdf = `svg-inkscape/${posix.basename(path, '.svg')}_svg-`
  return [...read].some((name) => name.includes(pdf))
}
