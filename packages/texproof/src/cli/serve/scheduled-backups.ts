import { basename, join } from 'node:path'

import { backUpInWorker } from '../../backup/back-up-in-worker.ts'
import { findLastAttempt, noteAttempt, noteBackup, noteFailedBackup } from '../../backup/last-backup.ts'
import { keepNewest, nameBackup, nameIncrementalBackup } from '../../backup/list-backups.ts'
import type { Deps } from '../../operations/deps.ts'

type Parts = Pick<Deps, 'config' | 'log' | 'store'>

/** How often to check whether a backup is due: the time of the last one is stored, so no timer runs for days. */
const lookEveryMs = 60_000

/** Makes scheduled backups and deletes old ones. The returned object stops it. */
export function scheduleBackups(parts: Parts): { close(): Promise<void> } {
  const { everyMs } = parts.config.backup
  if (everyMs === null) return { close: async () => {} }
  const stop = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  const isDue = async (): Promise<boolean> =>
    isBackupDue(await findLastAttempt(parts.store), { everyMs, now: Date.now() })
  const look = async (): Promise<void> => {
    isRunning = true
    try {
      if (await isDue())
        // On one server at a time; another one may have made the backup in the meantime.
        await parts.store.runExclusively('backups', async () => {
          if (await isDue()) await backUp(parts, stop.signal)
        })
    } catch (error) {
      parts.log.error({ component: 'backup', err: error }, 'run scheduled backups')
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(
    () => {
      if (!isRunning) running = look()
    },
    Math.min(everyMs, lookEveryMs),
  ).unref()
  return {
    close: () => {
      clearInterval(timer)
      stop.abort()
      return running
    },
  }
}

/**
 * A failed backup is retried when the next is due. In the meantime, the administration page shows the reason. A time in
 * the future means that the clock was set back.
 */
export function isBackupDue(
  attemptAt: number | null,
  { everyMs, now }: { readonly everyMs: number; readonly now: number },
): boolean {
  return attemptAt === null || attemptAt > now || now - attemptAt >= everyMs
}

async function backUp({ config, log, store }: Parts, signal: AbortSignal): Promise<void> {
  const { dir, isIncremental, keep } = config.backup
  const at = Date.now()
  const name = isIncremental ? nameIncrementalBackup(at) : nameBackup(at)
  const outcome = await backUpInWorker(
    {
      dataDir: config.dataDir,
      databaseUrl: config.databaseUrl,
      bucket: config.bucket,
      target: join(dir, name),
      isIncremental,
    },
    signal,
  )
  if (outcome.kind === 'stopped') return
  await noteAttempt(store, at)
  if (outcome.kind === 'failed') {
    await noteFailedBackup(store, { at, reason: outcome.reason })
    log.error({ component: 'backup', reason: outcome.reason }, 'no backup was made')
    return
  }
  const { damaged, damagedPdfs, missingPdfs, path, repositories, sizeBytes } = outcome.made
  await noteBackup(store, outcome.made)
  const removed = await keepNewest(dir, { count: keep, made: basename(path), isDamaged: damaged.length > 0 })
  const durationMs = Date.now() - at
  log.info(
    { component: 'backup', path, repositories, bytes: sizeBytes, duration_ms: durationMs, removed },
    'made a backup',
  )
  for (const { fullName, damage } of damaged)
    log.warn({ component: 'backup', repository: fullName, damage }, 'a repository is damaged')
  for (const pdf of damagedPdfs) log.warn({ component: 'backup', pdf }, 'a PDF is damaged')
  const [missing] = missingPdfs
  if (missing !== undefined)
    log.warn(
      { component: 'backup', pdfs: missingPdfs.length, reason: missing.reason },
      'PDFs of the bucket are not in the backup',
    )
}
