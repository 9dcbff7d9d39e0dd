import { CompileInputError } from '../base/errors.ts'
import type { CompileOptions, SandboxMode } from '../base/types.ts'

const SANDBOX_MODES: readonly SandboxMode[] = ['required', 'auto', 'none']

/**
 * Checks what of the options is no data: functions, the signal, and the sandbox, of which a misspelt `required` must not
 * become `auto`.
 *
 * @throws CompileInputError naming the option.
 */
export function checkCall({ sandbox, signal, onProgress, fetch }: CompileOptions): void {
  if (sandbox !== undefined && !SANDBOX_MODES.includes(sandbox)) {
    throw invalid('sandbox', `must be one of: ${SANDBOX_MODES.join(', ')}`)
  }
  if (signal !== undefined && typeof signal?.throwIfAborted !== 'function')
    throw invalid('signal', 'must be an AbortSignal')
  if (onProgress !== undefined && typeof onProgress !== 'function') throw invalid('onProgress', 'must be a function')
  if (fetch !== undefined && typeof fetch !== 'function') throw invalid('fetch', 'must be a function')
}

function invalid(path: string, complaint: string): CompileInputError {
  return new CompileInputError(`${path} ${complaint}`, { code: 'INVALID_INPUT', path })
}
