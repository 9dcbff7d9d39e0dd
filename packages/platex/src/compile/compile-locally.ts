import { ROOT_FILE } from '../base/defaults.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileRequest, LocalCompileOptions } from '../options/compile-request.ts'
import { installationId } from './installation-id.ts'
import { runPipeline } from './run-pipeline.ts'
import { compileInSession } from './sessions/compile-in-session.ts'
import { sharedSandbox } from './shared-sandbox.ts'

const encoder = new TextEncoder()
/** The owner of sessions of the library, which have no credentials. */
const THIS_PROGRAM = 'this program'

/**
 * Compiles on this machine, in the shared sandbox.
 *
 * @throws PlatexError `NO_ENGINE` or `SANDBOX_UNAVAILABLE`; the reason of the signal if cancelled.
 */
export async function compileLocally(request: CompileRequest, options: LocalCompileOptions): Promise<CompileResult> {
  const shared = await orAborted(sharedSandbox(options.sandbox, options), options.signal)
  const sandbox = await orAborted(shared.refresh(), options.signal)
  const rootFile = request.main ?? ROOT_FILE
  const { source, files, session } = request
  const owner = options.owner ?? (session === null ? undefined : THIS_PROGRAM)
  const job = {
    rootFile,
    files: source === null ? files : new Map([[rootFile, encoder.encode(source)], ...files]),
    engine: request.engine,
    passes: request.passes,
    bibliography: request.bibliography,
    timeoutMs: request.timeoutMs,
    signal: options.signal,
    outputs: request.outputs,
    tenant: owner,
    sandbox,
    onProgress: options.onProgress,
  }
  const { result } =
    session === null || owner === undefined
      ? await runPipeline(job)
      : await compileInSession(job, { owner, key: session })
  options.signal?.throwIfAborted()
  return result
}

/** Identifies the TeX installation that a compile with these options would use now. */
export async function currentInstallationId(options: LocalCompileOptions): Promise<string> {
  const shared = await orAborted(sharedSandbox(options.sandbox, options), options.signal)
  return installationId(await orAborted(shared.refresh(), options.signal))
}

/** Waits for `work`. On abort it rejects with the reason of the signal, and `work` continues. */
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
