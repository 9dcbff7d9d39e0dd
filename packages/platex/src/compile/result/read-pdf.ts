import type { Workspace } from '../workspace.ts'

/**
 * The PDF, if it is whole: a killed engine leaves a truncated file, so that a file is there proves nothing.
 */
export async function readPdf(workspace: Workspace): Promise<Uint8Array | null> {
  const bytes = await workspace.read(workspace.outputPath('pdf'))
  return bytes !== null && isWholePdf(bytes) ? bytes : null
}

/** True for bytes that start as a PDF and end as one, blanks after the end allowed. */
export function isWholePdf(bytes: Uint8Array): boolean {
  const text = (part: Uint8Array) => Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
  return text(bytes.subarray(0, 5)) === '%PDF-' && text(bytes.subarray(-1024)).trimEnd().endsWith('%%EOF')
}
