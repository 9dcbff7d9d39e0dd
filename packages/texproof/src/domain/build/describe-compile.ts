import type { CompileProgress } from '@texproof/platex'

import { nameTool } from '../tool-names.ts'

/** The current step of a compile, as text. */
export function describeCompile(progress: CompileProgress): string {
  if (progress.kind === 'skipped') return 'the last pass is done'
  if (progress.kind === 'page') return `pass ${progress.passNumber}, page ${progress.page}`
  if (progress.kind === 'pass-started') return `pass ${progress.passNumber}, ${nameTool(progress.program)}`
  return `pass ${progress.passNumber} done`
}
