import type { CompileOutputs, CompileResult } from '../../base/types.ts'
import { encodeBase64 } from './encode-base64.ts'

/** The CompileResponse of the wire: the result with its PDF in base64. */
export function presentResult(result: CompileResult): string {
  const { outputs } = result
  return JSON.stringify({
    ...result,
    pdf: encodeOrNull(result.pdf),
    ...(outputs === undefined ? {} : { outputs: encodeOutputs(outputs) }),
  })
}

/** Each file in base64; null where there is none. */
export function encodeOutputs(outputs: CompileOutputs): Readonly<Record<string, string | null>> {
  return Object.fromEntries(Object.entries(outputs).map(([name, bytes]) => [name, encodeOrNull(bytes)]))
}

function encodeOrNull(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : encodeBase64(bytes)
}
