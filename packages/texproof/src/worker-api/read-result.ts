import { parseCompileResult } from '@texproof/platex/project'
import type { CompileResult } from '@texproof/platex'

/** Parses the result of a worker without its PDF; null if it is none. Runs in a worker thread: logs may be large. */
export function readResult(json: Uint8Array): CompileResult | null {
  try {
    return parseCompileResult(JSON.parse(Buffer.from(json).toString()))
  } catch {
    return null // Reported as an invalid result.
  }
}
