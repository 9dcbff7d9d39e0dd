import type { CompileJob } from './job.ts'
import type { JobPaths } from './job-paths.ts'

/**
 * What every program of one compile is told beside the sandbox's own environment.
 *
 * One moment for all passes, so that `\today` and the dates in the PDF do not change between them.
 *
 * A root document in a folder may say `\input{../shared/macros}`, as authors of larger projects do. Without bubblewrap
 * `openin_any` is `p`, which refuses every `..`, so there it becomes `r`, which refuses hidden files only.
 */
export function documentEnvironment(
  job: Pick<CompileJob, 'sourceDateEpoch'>,
  paths: Pick<JobPaths, 'folder'>,
): Readonly<Record<string, string>> {
  return {
    ...momentEnvironment(job),
    ...(paths.folder === '' ? {} : { openin_any: 'r' }),
  }
}

/**
 * The same for a tool. makeindex asks `openin_any` about the absolute place where it found a style of the TeX system,
 * and `p` refuses every absolute name.
 */
export function toolEnvironment(job: Pick<CompileJob, 'sourceDateEpoch'>): Readonly<Record<string, string>> {
  return { ...momentEnvironment(job), openin_any: 'r' }
}

function momentEnvironment(job: Pick<CompileJob, 'sourceDateEpoch'>): Readonly<Record<string, string>> {
  return {
    SOURCE_DATE_EPOCH: String(job.sourceDateEpoch ?? Math.floor(Date.now() / 1000)),
    FORCE_SOURCE_DATE: '1',
  }
}
