import { DEFAULTS } from '../base/defaults.ts'
import type { CompileOptions, SandboxMode } from '../base/types.ts'
import { checkFilesCount, checkSourceLimit, checkTotalFilesBytes, type ResolvedLimits } from './check-limits.ts'
import type { CompileRequest } from './compile-request.ts'
import { parseFiles } from './parse-files.ts'
import { checkRootFile, parseMain } from './parse-main.ts'
import {
  checkHeaders,
  parseBibliography,
  parseEngine,
  parseOutputs,
  parsePasses,
  parseRetry,
  parseRootSource,
  parseSession,
  parseTimeoutMs,
} from './parse-settings.ts'
import { invalidInput } from './invalid-input.ts'

const encoder = new TextEncoder()

/**
 * Validates the options of `compile` and completes them with the defaults.
 *
 * @throws CompileInputError for a wrong type, an invalid file name or an input over its limit.
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
    session: parseSession(options.session),
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
  throw invalidInput(path, 'must be a Uint8Array (a Buffer is one) or a string')
}

/** True for a Uint8Array of any realm. */
function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]'
}

const SANDBOX_MODES: readonly SandboxMode[] = ['required', 'auto', 'none']

/**
 * Validates options that are not part of a request: functions, the signal, those for a service, even if there is none, and
 * the sandbox mode, because a misspelled `required` must not become `auto`.
 *
 * @throws CompileInputError naming the option.
 */
export function checkCall({ sandbox, signal, onProgress, fetch, retry, headers }: CompileOptions): void {
  parseRetry(retry)
  checkHeaders(headers)
  if (sandbox !== undefined && !SANDBOX_MODES.includes(sandbox)) {
    throw invalidInput('sandbox', `must be one of: ${SANDBOX_MODES.join(', ')}`)
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw invalidInput('signal', 'must be an AbortSignal')
  if (onProgress !== undefined && typeof onProgress !== 'function')
    throw invalidInput('onProgress', 'must be a function')
  if (fetch !== undefined && typeof fetch !== 'function') throw invalidInput('fetch', 'must be a function')
}
