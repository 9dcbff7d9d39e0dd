import { DEFAULTS } from '../base/defaults.ts'
import { CompileInputError } from '../base/errors.ts'
import type { CompileOptions } from '../base/types.ts'
import { checkFilesCount, checkSourceLimit, checkTotalFilesBytes } from './check-limits.ts'
import type { ResolvedLimits } from './check-limits.ts'
import type { CompileRequest } from './compile-request.ts'
import { parseFiles } from './parse-files.ts'
import { checkRootFile, parseMain } from './parse-main.ts'
import { parseOutputs } from './parse-outputs.ts'
import { parseBibliography, parseEngine, parsePasses, parseRootSource, parseTimeoutMs } from './parse-settings.ts'

const encoder = new TextEncoder()

/**
 * Checks what a program passed to `compile` and fills the defaults.
 *
 * @throws CompileInputError for a wrong type, a bad file name or an input over its limit.
 */
export function parseOptions(source: unknown, options: CompileOptions, limits: ResolvedLimits): CompileRequest {
  const main = parseMain(options.main)
  const request: CompileRequest = {
    main,
    source: parseRootSource(source, main),
    engine: parseEngine(options.engine) ?? DEFAULTS.engine,
    passes: parsePasses(options.passes) ?? DEFAULTS.passes,
    bibliography: parseBibliography(options.bibliography) ?? DEFAULTS.bibliography,
    files: parseFiles(options.files, parseBytes, { main }),
    timeoutMs: parseTimeoutMs(options.timeout) ?? DEFAULTS.timeoutMs,
    outputs: parseOutputs(options.outputs),
  }
  checkRootFile(request)
  if (request.source !== null) checkSourceLimit(request.source, limits)
  checkFilesCount(request.files.size, limits)
  checkTotalFilesBytes(sumBytes(request.files), limits)
  return request
}

/** Bytes of all files together. */
export function sumBytes(files: ReadonlyMap<string, Uint8Array>): number {
  let total = 0
  for (const content of files.values()) total += content.byteLength
  return total
}

function parseBytes(content: unknown, path: string): Uint8Array {
  if (isBytes(content)) return content
  if (typeof content === 'string') return encoder.encode(content)
  throw new CompileInputError(`${path} must be a Uint8Array (a Buffer is one) or a string`, {
    code: 'INVALID_INPUT',
    path,
  })
}

/** True for the Uint8Array of any realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
}
