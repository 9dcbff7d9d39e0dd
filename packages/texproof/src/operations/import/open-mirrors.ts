/**
 * Fetches mirrors when they are due. The times are in the database, so that a restart loses none, and of several
 * servers one fetches.
 */
import type { Logger } from 'pino'

import { createFaultLog } from '../../base/log/fault-log.ts'
import { fetchMirror, type FetchMirrorOptions, type MirrorOutcome } from './fetch-mirror.ts'
import type { GitImportStores } from './import-git.ts'
import type { Config } from '../../config/read-config.ts'
import type { DueMirror } from '../../store/repositories/mirrors.ts'

/** Dependencies of fetching mirrors. */
export type MirrorDeps = Omit<GitImportStores, 'config'> & {
  readonly config: GitImportStores['config'] & Pick<Config, 'mirrorEveryMs'>
  readonly log: Pick<Logger, 'error' | 'info'>
}

export interface MirrorOptions extends Partial<Pick<FetchMirrorOptions, 'timeoutMs' | 'lookup'>> {
  /** How often due mirrors are looked for. @default 5 s */
  readonly lookEveryMs?: number
  /** How long a fetch is reserved for this server. @default 60 s */
  readonly leaseMs?: number
}

const LOOK_EVERY_MS = 5_000
const TIMEOUT_MS = 10 * 60_000
/** Renewed while the fetch runs. After this time, its process has ended. */
const LEASE_MS = 60_000
const FETCH_LIMIT_MS = 20 * 60_000
/** Of different owners: the slow sources of one must not delay the mirrors of others. */
const MAX_AT_ONCE = 2
/** A source that fails is asked half as often each time, but at least this often. */
const MAX_PAUSE_MS = 24 * 3_600_000

/** Starts fetching. The returned object stops it; interrupted fetches begin again at the next start. */
export function openMirrors(deps: MirrorDeps, options: MirrorOptions = {}): { close(): Promise<void> } {
  const { config, log, store } = deps
  const leaseMs = options.leaseMs ?? LEASE_MS
  const stop = new AbortController()
  /** By owner. */
  const running = new Map<string, Promise<void>>()
  const lookFaults = createFaultLog(log, 'look for due mirrors', { component: 'mirrors' })
  let look: Promise<void> = Promise.resolve()
  let isLooking = false

  async function fetchDue(): Promise<void> {
    while (!stop.signal.aborted && running.size < MAX_AT_ONCE) {
      const now = Date.now()
      // Reads before it takes: taking writes, and every write invalidates the read cache.
      const busyOwnerIds = [...running.keys()]
      const dueAt = await store.mirrors.findNextDue({ busyOwnerIds })
      if (dueAt === null || dueAt > now) return
      const mirror = await store.mirrors.take({ now, until: now + leaseMs, busyOwnerIds })
      if (mirror === null) return
      const { ownerId } = mirror
      const fetching = fetchOne(mirror)
        .catch((error: unknown) => log.error({ err: error, component: 'mirrors' }, 'record a fetch of a mirror'))
        .finally(() => {
          running.delete(ownerId)
          startLook()
        })
      running.set(ownerId, fetching)
    }
  }

  async function fetchOne({ repositoryId, failureCount }: DueMirror): Promise<void> {
    const renewal = setInterval(() => renew(repositoryId), leaseMs / 4)
    const outcome = await fetchSafely(repositoryId).finally(() => clearInterval(renewal))
    if (stop.signal.aborted) return store.mirrors.setDue(repositoryId, Date.now())
    const at = Date.now()
    const failures = outcome.kind === 'fetched' ? 0 : failureCount + 1
    await store.mirrors.record(repositoryId, {
      at,
      dueAt: at + pauseAfter(failures, config.mirrorEveryMs),
      problem: outcome.kind === 'fetched' ? null : outcome.problem,
      rewritten: outcome.kind === 'fetched' ? outcome.rewritten : [],
    })
  }

  function renew(repositoryId: number): void {
    store.mirrors
      .renew(repositoryId, Date.now() + leaseMs)
      .catch((error: unknown) => log.error({ err: error, component: 'mirrors', repositoryId }, 'renew a fetch'))
  }

  async function fetchSafely(repositoryId: number): Promise<MirrorOutcome> {
    try {
      const repository = await store.repositories.findById(repositoryId)
      if (repository === null || repository.mirrorUrl === null) return { kind: 'fetched', rewritten: [] }
      return await fetchMirror(deps, repository, {
        timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
        lookup: options.lookup,
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(FETCH_LIMIT_MS)]),
      })
    } catch (error) {
      if (!stop.signal.aborted) log.error({ err: error, component: 'mirrors', repositoryId }, 'fetch a mirror')
      return { kind: 'failed', problem: 'Internal error: the fetch could not run. See the server log.' }
    }
  }

  /** One look at a time. */
  function startLook(): void {
    if (isLooking || stop.signal.aborted) return
    isLooking = true
    look = fetchDue()
      .then(lookFaults.succeed, lookFaults.fail)
      .finally(() => {
        isLooking = false
      })
  }

  const timer = setInterval(startLook, options.lookEveryMs ?? LOOK_EVERY_MS).unref()
  startLook()
  return {
    async close() {
      stop.abort()
      clearInterval(timer)
      await look
      await Promise.all(running.values())
    },
  }
}

/** Milliseconds until the next fetch. A random part spreads mirrors that were imported together. */
export function pauseAfter(failures: number, everyMs: number, random = Math.random()): number {
  const pauseMs = Math.min(Math.max(everyMs, MAX_PAUSE_MS), everyMs * 2 ** Math.min(failures, 16))
  return Math.round(pauseMs * (0.9 + 0.2 * random))
}
