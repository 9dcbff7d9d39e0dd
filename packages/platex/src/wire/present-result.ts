import type { CompileResult } from '../types.ts'
import { encodeBase64 } from './encode-base64.ts'

/** The CompileResponse of the wire: the result with its PDF in base64. */
export function presentResult(result: CompileResult): string {
  return JSON.stringify({ ...result, pdf: result.pdf === null ? null : encodeBase64(result.pdf) })
}
