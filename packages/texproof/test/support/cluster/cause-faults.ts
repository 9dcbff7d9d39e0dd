import { setTimeout as delay } from 'node:timers/promises'

import type { Cluster } from './start-cluster.ts'

/**
 * A server or a worker is killed, or paused and continued; all connections to the database are cut; the database restarts; or
 * the bucket is unavailable for a while. `restart` stops a server as an upgrade does.
 */
export type Fault = 'server' | 'pause' | 'restart' | 'worker' | 'pause-worker' | 'connections' | 'database' | 'bucket'

const BUCKET_OUTAGE_MS = 3_000
/** Pauses shorter and longer than the time after which a server counts as dead, in turn. */
const PAUSES_MS = [2_000, 20_000] as const

interface FaultOptions {
  /** One after the other, again from the first after the last. */
  readonly faults: readonly Fault[]
  readonly maxFaults: number
  readonly faultEveryMs: number
  readonly signal: AbortSignal
}

/** Resolves to the number of faults. */
export async function causeFaults(cluster: Cluster, options: FaultOptions): Promise<number> {
  const { faults, maxFaults, faultEveryMs, signal } = options
  for (let count = 0; count < maxFaults; count += 1) {
    // Rejects when the last operation is done.
    const isDue = await delay(faultEveryMs, true, { signal }).catch(() => false)
    if (!isDue) return count
    const fault = faults[count % faults.length]
    const pauseMs = PAUSES_MS[Math.floor(count / faults.length) % PAUSES_MS.length] ?? 0
    if (fault !== undefined) await CAUSES[fault](cluster, pauseMs)
  }
  return maxFaults
}

const CAUSES: Readonly<Record<Fault, (cluster: Cluster, pauseMs: number) => Promise<unknown>>> = {
  server: (cluster) => cluster.replaceServer('SIGKILL'),
  restart: (cluster) => cluster.replaceServer('SIGTERM'),
  pause: (cluster, pauseMs) => cluster.pauseServer(pauseMs),
  worker: (cluster) => cluster.replaceWorker(),
  'pause-worker': (cluster, pauseMs) => cluster.pauseWorker(pauseMs),
  connections: (cluster) => cluster.query(END_CONNECTIONS),
  async database({ postgres }) {
    await postgres.halt()
    await postgres.start()
  },
  async bucket({ s3 }) {
    s3.interrupt()
    await delay(BUCKET_OUTAGE_MS)
    s3.resume()
  },
}

const END_CONNECTIONS = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'texproof'"
