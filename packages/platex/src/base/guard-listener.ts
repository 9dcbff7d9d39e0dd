import type { CompileProgress } from './types.ts'

/** A compile with a progress listener that can be cancelled. */
interface Listened {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: CompileProgress) => void) | undefined
}

/**
 * A compile whose progress listener may throw: an exception cancels the compile, which rejects with it, instead of
 * escaping into the event handlers of a running program.
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
