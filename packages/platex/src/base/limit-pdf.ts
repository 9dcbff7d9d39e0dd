import type { CompileResult } from './types.ts'

/** Removes a PDF over the limit from a result, and adds an error that names the limit. */
export function limitPdf(result: CompileResult, maxPdfBytes: number): CompileResult {
  if (result.pdf === null || result.pdf.byteLength <= maxPdfBytes) return result
  const { pages: _pages, pdf, ...report } = result
  const message = `The PDF exceeds maxPdfBytes: ${pdf.byteLength} > ${maxPdfBytes}`
  const error = {
    type: 'error',
    file: null,
    line: null,
    message,
    context: null,
    source: 'latex',
    code: 'pdf-too-large',
  } as const
  return { ...report, pdf: null, errors: [...report.errors, error] }
}
