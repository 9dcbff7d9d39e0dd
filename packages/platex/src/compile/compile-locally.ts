import { ROOT_FILE } from '../base/defaults.ts'
import { orAborted } from '../base/or-aborted.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileRequest, LocalCompileOptions } from '../options/compile-request.ts'
import type { Sandbox } from '../sandbox/types.ts'
import type { LocalOutcome } from './job.ts'
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
  return (await compileInSandbox(request, await currentSandbox(options), options)).result
}

/** Compiles like `compileLocally`, in a sandbox that the caller has found with `currentSandbox`. */
export async function compileInSandbox(
  request: CompileRequest,
  sandbox: Sandbox,
  options: Pick<LocalCompileOptions, 'owner' | 'signal' | 'onProgress'>,
): Promise<Pick<LocalOutcome, 'result' | 'isComplete'>> {
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
  const outcome =
    session === null || owner === undefined
      ? await runPipeline(job)
      : await compileInSession(job, { owner, key: session })
  options.signal?.throwIfAborted()
  return outcome
}

/** The sandbox that a compile with these options would use now, for the TeX installation as it is now. */
export async function currentSandbox(options: LocalCompileOptions): Promise<Sandbox> {
  const shared = await orAborted(sharedSandbox(options.sandbox, options), options.signal)
  return orAborted(shared.refresh(), options.signal)
}
