import type { CompileJob } from './job.ts'
import { searchEnvironment, searchPathsOf } from './latexmkrc/search-paths-of.ts'
import { runsGregorio, type GregorioJob } from './tools/runs-gregorio.ts'
import type { JobPaths } from './job-paths.ts'

/**
 * Environment variables of one compile, added to the variables of the sandbox.
 *
 * All passes have the same time, so that `\today` and the dates in the PDF do not change between them.
 *
 * Larger projects contain `\input{../shared/macros}`. Without bubblewrap `openin_any` is `p`, which refuses every `..`;
 * for root files in a folder it becomes `r`, which refuses hidden files only.
 */
export function documentEnvironment(
  job: Pick<CompileJob, 'rootFile' | 'sourceDateEpoch'> & GregorioJob,
  paths: Pick<JobPaths, 'folder'>,
): Readonly<Record<string, string>> {
  return {
    ...momentEnvironment(job),
    ...searchEnvironment(searchPathsOf(job.files, job.rootFile)),
    ...(runsGregorio(job) ? { shell_escape: 'p', shell_escape_commands: 'gregorio' } : {}),
    ...(paths.folder === '' ? {} : { openin_any: 'r' }),
  }
}

/**
 * Like `documentEnvironment`, for makeindex: it applies `openin_any` to the absolute paths of styles, which `p` refuses.
 */
export function toolEnvironment(
  job: Pick<CompileJob, 'rootFile' | 'files' | 'sourceDateEpoch'>,
): Readonly<Record<string, string>> {
  return {
    ...momentEnvironment(job),
    ...searchEnvironment(searchPathsOf(job.files, job.rootFile)),
    openin_any: 'r',
  }
}

function momentEnvironment(job: Pick<CompileJob, 'sourceDateEpoch'>): Readonly<Record<string, string>> {
  return {
    SOURCE_DATE_EPOCH: String(job.sourceDateEpoch ?? Math.floor(Date.now() / 1000)),
    FORCE_SOURCE_DATE: '1',
  }
}
