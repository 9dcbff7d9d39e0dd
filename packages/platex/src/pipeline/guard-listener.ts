import type { CompileJob } from './job.ts'

/**
 * The job with a listener that cannot break out of the events of a running program: what it throws cancels the compile,
 * which then rejects with exactly that.
 */
export function guardListener(job: CompileJob): CompileJob {
  const { onProgress, signal } = job
  if (onProgress === undefined) return job
  const fault = new AbortController()
  return {
    ...job,
    signal: signal === undefined ? fault.signal : AbortSignal.any([signal, fault.signal]),
    onProgress: (progress) => {
      if (fault.signal.aborted) return
      try {
        onProgress(progress)
      } catch (error) {
        fault.abort(error)
      }
    },
  }
}
