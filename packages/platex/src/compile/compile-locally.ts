import { ROOT_FILE } from '../base/defaults.ts'
import type { CompileRequest } from '../options/compile-request.ts'
import { runPipeline } from './run-pipeline.ts'
import type { CompileResult } from '../base/types.ts'
import type { LocalCompileOptions } from './local-compiler.ts'
import { orAborted } from './or-aborted.ts'
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
    synctex: false,
    outputs: request.outputs,
    sandbox,
    onProgress: options.onProgress,
  })
  options.signal?.throwIfAborted()
  return result
}
