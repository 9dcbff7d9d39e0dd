import { commandFor } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { countOf } from '../../papers/push/describe-push.ts'
import { WORKER_LOST_AFTER_MS, type SeenWorker } from '../../store/builds/worker-keys.ts'
import type { StatusCard } from './status-card.ts'

/** Workers that have not connected for longer are not listed. */
export const SHOW_WORKERS_FOR_MS = 3_600_000

/** The workers of a host, with their load; null if it has none and needs none. */
export function workersCard(
  { build, dataDir, baseUrl }: Pick<Config, 'build' | 'dataDir' | 'baseUrl'>,
  workers: readonly SeenWorker[],
  now: number,
): StatusCard | null {
  if (workers.length === 0 && build.isLocal) return null
  const title = 'Workers'
  const active = workers.filter(({ seenAt }) => now - seenAt < WORKER_LOST_AFTER_MS)
  const lost = workers.filter((worker) => !active.includes(worker))
  const [slots, running] = [sum(active, 'slots'), sum(active, 'running')]
  const list = [...active, ...lost].map((worker) => describeWorker(worker, now)).join('; ')
  if (active.length === 0 && !build.isLocal)
    return {
      title,
      state: 'failed',
      text: `No worker is connected, and this machine builds nothing itself: builds wait.${list === '' ? '' : ` ${list}.`}`,
      remedy:
        `${commandFor(dataDir, 'worker-key create')}    # prints a key\n` +
        `texproof worker --server ${baseUrl} --key-file FILE    # on another machine`,
    }
  const text = `${countOf(active.length, 'worker')} with ${countOf(slots, 'slot')}, ${running} in use. ${list}.`
  return { title, state: lost.length > 0 ? 'warned' : 'good', text, remedy: null }
}

function describeWorker({ name, slots, running, texRelease, packageCount, seenAt }: SeenWorker, now: number): string {
  const age = now - seenAt
  const seen =
    age < WORKER_LOST_AFTER_MS ? `seen ${Math.round(age / 1000)} s ago` : `not seen for ${Math.round(age / 60_000)} min`
  const tex = texRelease === null ? [] : [texRelease, countOf(packageCount, 'package')]
  return `${name}: ${[`${running} of ${slots} in use`, ...tex, seen].join(', ')}`
}

function sum(workers: readonly SeenWorker[], field: 'slots' | 'running'): number {
  return workers.reduce((total, worker) => total + worker[field], 0)
}
