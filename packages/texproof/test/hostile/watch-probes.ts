import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const PROCESS_FILE = fileURLToPath(new URL('probe-process.ts', import.meta.url))

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
  const child = fork(PROCESS_FILE, [JSON.stringify(probes)])
  const ask = async (message: 'report' | 'stop'): Promise<ProbeReport> => {
    const answer = once(child, 'message') as Promise<[ProbeReport]>
    child.send(message)
    return (await answer)[0]
  }
  return { report: () => ask('report'), stop: () => ask('stop') }
}
