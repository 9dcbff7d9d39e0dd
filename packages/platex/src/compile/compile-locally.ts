import { ROOT_FILE } from '../base/defaults.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileRequest, LocalCompileOptions } from '../options/compile-request.ts'
import { runPipeline } from './run-pipeline.ts'
import { sharedSandbox } from './shared-sandbox.ts'

const encoder = new TextEncoder()

/**
 * Compiles on this machine, in the shared sandbox.
 *
 * @throws PlatexError `NO_ENGINE` or `SANDBOX_UNAVAILABLE`; the signal's reason when cancelled
 */
export async function compileLocally(request: CompileRequest, options: LocalCompileOptions): Promise<CompileResult> {
  const shared = await orAborted(sharedSandbox(options.sandbox, options.cacheDir), options.signal)
  const sandbox = await orAborted(shared.refresh(), options.signal)
  const rootFile = request.main ?? ROOT_FILE
  const { source, files } = request
  const { result } = await runPipeline({
    rootFile,
    files: source === null ? files : new Map([[rootFile, encoder.encode(source)], ...files]),
    engine: request.engine,
    passes: request.passes,
    bibliography: request.bibliography,
    timeoutMs: request.timeoutMs,
    signal: options.signal,
    outputs: request.outputs,
    sandbox,
    onProgress: options.onProgress,
  })
  options.signal?.throwIfAborted()
  return result
}

/** Waits for `work`, but not beyond an abort: then rejects with the signal's reason and leaves the work to itself. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
