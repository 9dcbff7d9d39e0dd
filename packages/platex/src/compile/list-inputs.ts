import { posix } from 'node:path'
import type { CompileJob } from './job.ts'
import { lastEngineRun, recorderOf, type Run } from './passes/run.ts'

/** Files of the job that the last engine pass or any tool read, and pictures that were read as PDF; sorted. */
export function listInputs(job: CompileJob, runs: readonly Run[]): readonly string[] {
  const read = new Set(recorderOf(lastEngineRun(runs)).inputs)
  for (const run of runs) if (run.kind === 'tool') for (const path of run.plan.reads) read.add(path)
  const drawn = new Set([...read].flatMap((path) => /svg-inkscape\/([^/]+)_svg-/.exec(path)?.[1] ?? []))
  const isInput = (path: string) =>
    read.has(path) ||
    read.has(path.replace(/\.eps$/, '-eps-converted-to.pdf')) ||
    (path.endsWith('.svg') && drawn.has(posix.basename(path, '.svg')))
  return [...job.files.keys()].filter(isInput).sort()
}
