import { createBoundedCache, cacheKey } from '../base/bounded-cache.ts'
import { ROOT_FILE } from '../base/defaults.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileRequest, LocalCompileOptions } from '../options/compile-request.ts'
import { installationId } from './installation-id.ts'
import type { CompileOutcome } from './job.ts'
import { runPipeline } from './run-pipeline.ts'
import { sharedSandbox } from './shared-sandbox.ts'

const encoder = new TextEncoder()
const MIB = 1024 * 1024

/** Warm-start files of sessions. Each compile of a session renews its expiry. */
const sessions = createBoundedCache<CompileOutcome['aux']>({
  keptMs: 10 * 60_000,
  maxBytes: 128 * MIB,
  maxBytesPerOwner: 32 * MIB,
  maxEntriesPerOwner: 64,
})

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
  const address =
    session === null || owner === undefined
      ? null
      : { owner, key: cacheKey([session, rootFile, request.engine, installationId(sandbox)]) }
  const { result, aux } = await runPipeline({
    rootFile,
    files: source === null ? files : new Map([[rootFile, encoder.encode(source)], ...files]),
    engine: request.engine,
    passes: request.passes,
    bibliography: request.bibliography,
    timeoutMs: request.timeoutMs,
    signal: options.signal,
    outputs: request.outputs,
    warmStartFiles: address === null ? undefined : sessions.find(address),
    tenant: owner,
    sandbox,
    onProgress: options.onProgress,
  })
  options.signal?.throwIfAborted()
  // After an error, the files of the last good compile save more passes.
  if (address !== null && aux.size > 0 && result.errors.length === 0) {
    const sizeBytes = [...aux.values()].reduce((sum, bytes) => sum + bytes.length, 0)
    sessions.save(address, { value: aux, sizeBytes })
  }
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
