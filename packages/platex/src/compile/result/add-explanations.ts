import type { CompileResult, LatexWarning } from '../../base/types.ts'
import { listTextFiles } from './describe-passes.ts'
import { inspect, inspectionOptions } from '../inspect.ts'
import type { PassContext } from '../passes/run.ts'

/** Warnings about boxes are only counted: most documents have some, and nothing explains them. */
const BOX_CODES: ReadonlySet<string> = new Set<LatexWarning['code']>([
  'overfull-hbox',
  'underfull-hbox',
  'overfull-vbox',
  'underfull-vbox',
])

/** Adds kind, column, summary, remedy and cause to the diagnostics; on a timeout they remain as TeX wrote them. */
export async function addExplanations(result: CompileResult, context: PassContext): Promise<CompileResult> {
  const { errors, warnings } = result
  if (errors.length === 0 && warnings.every(({ code }) => BOX_CODES.has(code))) return result
  const { job, workspace } = context
  const explained = await inspect(
    'explainInWorkspace',
    { errors, warnings, place: workspace.place, textFiles: listTextFiles(job), files: [...job.files.keys()] },
    inspectionOptions(context),
  )
  if (explained.kind !== 'done') return result
  return { ...result, errors: [...explained.value.errors], warnings: [...explained.value.warnings] }
}
