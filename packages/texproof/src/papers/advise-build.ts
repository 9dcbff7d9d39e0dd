import type { CompileResult, LatexError, LatexWarning } from '@texproof/platex'
import { adviseOn, codeOf, gatherKnowledge } from '@texproof/platex/advice'
import type { Advice } from '@texproof/platex/advice'
import type { ProjectCompiler } from '@texproof/platex/project'

import type { BuildOutcome } from '../domain/build.ts'

/** Diagnostics kept of one build: a document with more has one cause. */
const MAX_KEPT_DIAGNOSTICS = 500

/** What each problem means, as long as the sources are at hand: later they would have to be read again. */
export async function adviseBuild(
  { errors, warnings }: Pick<CompileResult, 'errors' | 'warnings'>,
  {
    files,
    compiler,
  }: { readonly files: ReadonlyMap<string, Uint8Array>; readonly compiler: Pick<ProjectCompiler, 'findPackage'> },
): Promise<Pick<BuildOutcome, 'errors' | 'warnings'>> {
  if (errors.length + warnings.length === 0) return { errors, warnings }
  const knowledge = gatherKnowledge(files)
  const withAdvice = async <Problem extends LatexError | LatexWarning>(problem: Problem) => ({
    ...problem,
    advice: (await adviseOnPackage(problem, compiler)) ?? adviseOn(problem, knowledge),
  })
  return {
    errors: await Promise.all(errors.slice(0, MAX_KEPT_DIAGNOSTICS).map(withAdvice)),
    warnings: await Promise.all(warnings.slice(0, MAX_KEPT_DIAGNOSTICS).map(withAdvice)),
  }
}

/** For a package that TeX Live has and this host has not; null for every other problem. */
async function adviseOnPackage(
  problem: LatexError | LatexWarning,
  compiler: Pick<ProjectCompiler, 'findPackage'>,
): Promise<Advice | null> {
  if (codeOf(problem) !== 'missing-package') return null
  const [, name = '', extension] = /File [`'](.+)\.(sty|cls)' not found/.exec(problem.message) ?? []
  const answer = await compiler.findPackage(`${name}.${extension}`)
  if (answer.kind !== 'missing' || answer.installCommand === null) return null
  return {
    summary: `The ${extension === 'cls' ? 'document class' : 'package'} "${name}" is part of TeX Live and not installed here.`,
    remedy: `An administrator brings it: ${answer.installCommand}`,
  }
}
