import type { CompileOutputs, CompileResult } from '../../base/types.ts'
import { encodeBase64 } from './base64.ts'

/** A compile result, with or without logs. */
export type PresentableResult = Pick<CompileResult, 'pdf' | 'errors' | 'warnings' | 'outputs' | 'pages' | 'stats'> &
  Partial<Pick<CompileResult, 'logs'>>

/** JSON as text, or as UTF-8 bytes if a worker thread wrote it. */
export type ResultJson = string | Uint8Array<ArrayBuffer>

/** The JSON of a CompileResponse, with the PDF in base64. `encode`: Node has a faster one than browsers. */
export function presentResult(result: PresentableResult, encode = encodeBase64): string {
  const { outputs } = result
  return JSON.stringify({
    ...result,
    pdf: encodeOrNull(result.pdf, encode),
    ...(outputs === undefined ? {} : { outputs: encodeOutputs(outputs, encode) }),
  })
}

/** Each file in base64, or null. */
function encodeOutputs(outputs: CompileOutputs, encode: typeof encodeBase64): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, bytes]) => [name, encodeOrNull(bytes, encode)]))
}

function encodeOrNull(bytes: Uint8Array | null, encode: typeof encodeBase64): string | null {
  return bytes === null ? null : encode(bytes)
}
