import { readDatedPdf } from '../read-pdf.ts'
import type { PassRecord } from './decide-rerun.ts'
import type { EngineRun, PassContext } from './run.ts'

/**
 * Passes the PDF of a pass to the caller early if the next pass will probably only confirm it: TeX reports no error and
 * asks for no other pass; only the comparison of files requires one.
 *
 * Not for engines with a driver: their pages would have to be converted twice.
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
