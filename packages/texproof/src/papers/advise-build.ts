import type { CompileResult, LatexError, LatexWarning } from '@texproof/platex'

import type { Parsers } from '../base/open-parsers.ts'
import { defineTask } from '../base/thread-task.ts'
import type { BuildOutcome } from '../domain/build.ts'
import type { adviseOnProblems } from './advise-on-problems.ts'

/** Diagnostics kept of one build: a document with more has one cause. */
const MAX_KEPT_DIAGNOSTICS = 500

/** Files that explain problems, and their bytes: the rest of a tree is data. */
const TEXT = /\.(?:tex|sty|cls|ltx|latex|def|bib|bbl)$/i
const MAX_TEXT_BYTES = 2_000_000
const MAX_TOTAL_BYTES = 24 * 1024 * 1024
/** Names alone explain some problems: which files there are. */
const MAX_NAMES = 5_000

const ADVISE = defineTask<typeof adviseOnProblems>(import.meta.resolve('./advise-on-problems.ts'), 'adviseOnProblems')

/** What is needed to explain problems. */
export interface AdviceTools {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly parsers: Parsers
  readonly ownerId: string
}

/**
 * What each problem means, as long as the sources are at hand: later they would have to be read again. Problems that
 * take too long to explain are told in the words of TeX.
 */
export async function adviseBuild(
  { errors, warnings }: Pick<CompileResult, 'errors' | 'warnings'>,
  { files, parsers, ownerId }: AdviceTools,
): Promise<Pick<BuildOutcome, 'errors' | 'warnings'>> {
  if (errors.length + warnings.length === 0) return { errors, warnings }
  const keptErrors = errors.slice(0, MAX_KEPT_DIAGNOSTICS)
  const keptWarnings = warnings.slice(0, MAX_KEPT_DIAGNOSTICS)
  const problems = [...keptErrors, ...keptWarnings]
  const outcome = await parsers.run(ADVISE, { problems, files: takeTexts(files) }, { ownerId })
  const advice = outcome.kind === 'done' ? outcome.value : []
  const withAdvice = <Problem extends LatexError | LatexWarning>(problem: Problem, at: number) => ({
    ...problem,
    advice: advice[at] ?? null,
  })
  return {
    errors: keptErrors.map(withAdvice),
    warnings: keptWarnings.map((problem, at) => withAdvice(problem, keptErrors.length + at)),
  }
}

/** The sources with their bytes, the other files by name alone. */
function takeTexts(files: ReadonlyMap<string, Uint8Array>): ReadonlyMap<string, Uint8Array> {
  let left = MAX_TOTAL_BYTES
  const taken = new Map<string, Uint8Array>()
  for (const [path, bytes] of files) {
    if (taken.size === MAX_NAMES) break
    const isText = TEXT.test(path) && bytes.byteLength <= Math.min(left, MAX_TEXT_BYTES)
    // A copy: a view would take all memory behind it along.
    taken.set(path, isText ? new Uint8Array(bytes) : new Uint8Array())
    if (isText) left -= bytes.byteLength
  }
  return taken
}
