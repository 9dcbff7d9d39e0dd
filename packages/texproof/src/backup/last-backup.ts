import { z } from 'zod'

import type { Store } from '../store/store.ts'

/** The last backup that was made, by whomever. Times are epoch milliseconds. */
export interface LastBackup {
  readonly at: number
  readonly path: string
  readonly sizeBytes: number
}

/** The last one that could not be made, and why. */
export interface FailedBackup {
  readonly at: number
  readonly reason: string
}

/** What is known of backups. */
export interface BackupRecord {
  readonly last: LastBackup | null
  /** null = none has failed since the last good one. */
  readonly failed: FailedBackup | null
}

const lastKey = 'backup.last'
const failedKey = 'backup.failed'

const lastForm = z.object({ at: z.number(), path: z.string(), sizeBytes: z.number() })
const failedForm = z.object({ at: z.number(), reason: z.string() })

/** Reads what is known. */
export async function findBackupRecord({
  settings,
}: {
  readonly settings: Pick<Store['settings'], 'find'>
}): Promise<BackupRecord> {
  const [last, failed] = await Promise.all([settings.find(lastKey), settings.find(failedKey)])
  const known = { last: read(lastForm, last), failed: read(failedForm, failed) }
  return { ...known, failed: known.failed !== null && known.failed.at >= (known.last?.at ?? 0) ? known.failed : null }
}

/** Notes a backup that was made. */
export function noteBackup({ settings }: Pick<Store, 'settings'>, last: LastBackup): Promise<void> {
  return settings.set(lastKey, JSON.stringify(last))
}

/** Notes a backup that could not be made. */
export function noteFailedBackup({ settings }: Pick<Store, 'settings'>, failed: FailedBackup): Promise<void> {
  return settings.set(failedKey, JSON.stringify(failed))
}

function read<Value>(form: z.ZodType<Value>, text: string | null): Value | null {
  if (text === null) return null
  try {
    return form.parse(JSON.parse(text))
  } catch {
    return null // written by another version: as good as none
  }
}
