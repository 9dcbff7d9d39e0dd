import type { CompileProgress } from '@texproof/platex'

/** The current step of a compile, as text. */
export function describeCompile(progress: CompileProgress): string {
  if (progress.kind === 'skipped') return 'the last pass is done'
  if (progress.kind === 'page') return `pass ${progress.passNumber}, page ${progress.page}`
  if (progress.kind === 'pass-started') return `pass ${progress.passNumber}, ${progress.program}`
  return `pass ${progress.passNumber} done`
}
