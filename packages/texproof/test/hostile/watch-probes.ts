import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A page that must stay fast. */
export interface Probe {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Results of the probes since the last report. */
export interface ProbeReport {
  /** The slowest response of each probe. */
  readonly slowestMs: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** Requests the probes ten times per second until stopped. */
export function watchProbes(probes: readonly Probe[]): {
  readonly report: () => Promise<ProbeReport>
  readonly stop: () => Promise<ProbeReport>
} {
  const worker = new Worker(new URL('probe-thread.ts', import.meta.url), { workerData: probes })
  const ask = async (message: 'report' | 'stop'): Promise<ProbeReport> => {
    const answer = once(worker, 'message') as Promise<[ProbeReport]>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, no window
    worker.postMessage(message)
    return (await answer)[0]
  }
  return { report: () => ask('report'), stop: () => ask('stop') }
}
