import type { CompileProgress } from './types.ts'

/** A compile with a progress listener that can be cancelled. */
interface Listened {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/**
 * The compile with a listener that cannot break out of the events of a running program: what it throws cancels the
 * compile, which then rejects with exactly that.
 */
export function guardListener<Compile extends Listened>(compile: Compile): Compile {
  const { onProgress, signal } = compile
  if (onProgress === undefined) return compile
  const fault = new AbortController()
  return {
    ...compile,
    signal: signal === undefined ? fault.signal : AbortSignal.any([signal, fault.signal]),
    onProgress: (progress: CompileProgress) => {
      if (fault.signal.aborted) return
      try {
        onProgress(progress)
      } catch (error) {
        fault.abort(error)
      }
    },
  }
}
