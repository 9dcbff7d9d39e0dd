import { latin1 } from '../canonical-digest.ts'
import type { CompileJob } from '../job.ts'

/** Words that make LaTeX write to the `.aux` what the next pass needs. */
const NEEDS_SECOND_PASS = /^[^%\n]*\\(?:tableofcontents|label|cite[a-z]*|bibliography|addbibresource|makeindex)\b/m

/** Read on the main thread before the first pass; the guess need not look at a whole book. */
const LOOKED_AT_BYTES = 256 * 1024

/**
 * True when a second pass will follow the first whatever it brings, so nobody will look at the pages of the first.
 *
 * `auxPath`: where the pass before would have left its notes; with them the first pass may well be the last.
 * A wrong guess costs a pass and never a page: a draft pass is never the last.
 */
export function isSurelyNotLast(job: CompileJob, auxPath: string): boolean {
  if (job.passes !== 'auto') return job.passes > 1
  if ((job.seed !== undefined && job.seed.size > 0) || job.files.has(auxPath)) return false
  const root = job.files.get(job.rootFile)
  return root !== undefined && NEEDS_SECOND_PASS.test(latin1(root.subarray(0, LOOKED_AT_BYTES)))
}
