import type { CompileOutputs, CompileResult } from '../../base/types.ts'
import { encodeBase64 } from './base64.ts'

/** A compile result, with or without its logs. */
export type PresentableResult = Pick<CompileResult, 'pdf' | 'errors' | 'warnings' | 'outputs' | 'pages' | 'stats'> &
  Partial<Pick<CompileResult, 'logs'>>

/** JSON as text, or as UTF-8 where a worker thread wrote it. */
export type ResultJson = string | Uint8Array<ArrayBuffer>

/** The CompileResponse of the wire: the result with its PDF in base64. */
export function presentResult(result: PresentableResult): string {
  const { outputs } = result
  return JSON.stringify({
    ...result,
    pdf: encodeOrNull(result.pdf),
    ...(outputs === undefined ? {} : { outputs: encodeOutputs(outputs) }),
  })
}

/** Each file in base64; null where there is none. */
function encodeOutputs(outputs: CompileOutputs): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, bytes]) => [name, encodeOrNull(bytes)]))
}

function encodeOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : encodeBase64(bytes)
}
