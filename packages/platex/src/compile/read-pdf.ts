import type { EngineRun } from './passes/run.ts'
import { restoreDates } from './result/restore-dates.ts'
import type { Workspace } from './workspace.ts'

/** The PDF of a pass if it is complete, with the dates of the compile if its engine was started earlier. */
export async function readDatedPdf(
  { trace, row }: EngineRun,
  { workspace }: { readonly workspace: Workspace },
): Promise<Uint8Array | null> {
  const pdf = await readPdf(workspace)
  // A driver is started during the compile, with its time.
  if (pdf === null || trace === null || row.output !== 'pdf') return pdf
  return restoreDates(pdf, { ...trace, path: workspace.outputPath('pdf') })
}

/** The PDF, if it is complete; a killed engine leaves a truncated file. */
export async function readPdf(workspace: Workspace): Promise<Uint8Array | null> {
  const bytes = await workspace.read(workspace.outputPath('pdf'))
  return bytes !== null && isWholePdf(bytes) ? bytes : null
}

/** True for a PDF header and trailer; white space after the end is allowed. */
export function isWholePdf(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  return text(bytes.subarray(0, 5)) === '%PDF-' && text(bytes.subarray(-1024)).trimEnd().endsWith('%%EOF')
}
