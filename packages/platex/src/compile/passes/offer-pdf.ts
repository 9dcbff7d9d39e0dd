import { readDatedPdf } from '../read-pdf.ts'
import type { PassRecord } from './decide-rerun.ts'
import type { EngineRun, PassContext } from './run.ts'

/**
 * Gives the PDF of a pass to a caller who does not want to wait for the pass after it, where that will probably only
 * confirm it: TeX reports no error and asks for no other pass, and only the comparison of files does.
 *
 * XeTeX is left out: its pages would have to be converted once more.
 */
export async function offerPdf(
  pass: EngineRun,
  { record, context }: { readonly record: PassRecord; readonly context: PassContext },
): Promise<void> {
  const { onConfirming } = context.job
  if (onConfirming === undefined || pass.output.kind === 'fault' || !isLikelyFinal(pass, record)) return
  const pdf = await readDatedPdf(pass, context)
  if (pdf !== null) onConfirming({ pdf, pages: pass.output.value.facts.pageCount })
}

function isLikelyFinal({ row, isDraft, report, output }: EngineRun, record: PassRecord): boolean {
  if (row.output !== 'pdf' || isDraft || output.kind === 'fault') return false
  const { facts } = output.value
  const isComplete = facts.pageCount !== null && facts.undefinedCount === 0 && facts.missed.size === 0
  const isClean = report.end.kind === 'exited' && report.end.exitCode === 0
  return isClean && isComplete && facts.rerunPhrase === null && !record.hasNewToolOutput
}
