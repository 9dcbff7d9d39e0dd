import type { CompileOutputs, CompileResult } from '../../base/types.ts'
import { encodeBase64 } from './base64.ts'

/** A compile result, with or without logs. */
export type PresentableResult = Pick<CompileResult, 'pdf' | 'errors' | 'warnings' | 'outputs' | 'pages' | 'stats'> &
  Partial<Pick<CompileResult, 'logs'>>

/** JSON as text, or as UTF-8 bytes if a worker thread wrote it. */
export type ResultJson = string | Uint8Array<ArrayBuffer>

/** The JSON of a CompileResponse, with the PDF in base64. */
export function presentResult(result: PresentableResult): string {
  const { outputs } = result
  return JSON.stringify({
    ...result,
    pdf: encodeOrNull(result.pdf),
    ...(outputs === undefined ? {} : { outputs: encodeOutputs(outputs) }),
  })
}

/** Each file in base64, or null. */
function encodeOutputs(outputs: CompileOutputs): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, bytes]) => [name, encodeOrNull(bytes)]))
}

function encodeOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : encodeBase64(bytes)
}
