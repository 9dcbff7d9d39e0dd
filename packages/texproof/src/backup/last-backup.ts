import { stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import { isAbsent } from '../base/absent.ts'
import type { Store } from '../store/store.ts'
import type { MadeBackup } from './make-backup.ts'

/** The last backup, manual or scheduled. Times are epoch milliseconds. */
export interface LastBackup {
  readonly at: number
  readonly path: string
  readonly sizeBytes: number
}

/** The last failed backup and the reason. */
export interface FailedBackup {
  readonly at: number
  readonly reason: string
}

type NotedBackup = Pick<MadeBackup, 'createdAt' | 'damaged' | 'path' | 'sizeBytes'>

/** The state of backups. */
export interface BackupRecord {
  readonly last: LastBackup | null
  /** Whether the file or folder of the last one no longer exists. */
  readonly isLastGone: boolean
  /** null = none has failed since the last successful one. */
  readonly failed: FailedBackup | null
}

const lastKey = 'backup.last'
const failedKey = 'backup.failed'
const attemptKey = 'backup.attempt'

const lastForm = z.object({ at: z.number(), path: z.string(), sizeBytes: z.number() })
const failedForm = z.object({ at: z.number(), reason: z.string() })

/** A page does not wait longer for a network file system that does not answer. */
const PATIENCE_MS = 1_000

/** Such a file system blocks a thread for each check, so a path has one check at a time. */
const running = new Map<string, Promise<boolean>>()

/** Reads the record. */
export async function findBackupRecord({
  settings,
}: {
  readonly settings: Pick<Store['settings'], 'find'>
}): Promise<BackupRecord> {
  const [last, failed] = await Promise.all([settings.find(lastKey), settings.find(failedKey)])
  const known = { last: read(lastForm, last), failed: read(failedForm, failed) }
  return {
    last: known.last,
    isLastGone: known.last !== null && (await isBackupGone(known.last.path)),
    failed: known.failed !== null && known.failed.at >= (known.last?.at ?? 0) ? known.failed : null,
  }
}

/** Records a backup that was made. One with damaged repositories also counts as failed. */
export async function noteBackup(store: Pick<Store, 'settings'>, made: NotedBackup): Promise<void> {
  const { createdAt: at, damaged, path, sizeBytes } = made
  const last: LastBackup = { at, path, sizeBytes }
  await store.settings.set(lastKey, JSON.stringify(last))
  if (damaged.length === 0) return
  const reason = damaged.map(({ fullName, damage }) => `${fullName} is damaged: ${damage}`).join('; ')
  await noteFailedBackup(store, { at, reason: `${reason}. Restore it from an earlier backup.` })
}

/** Records a failed backup. */
export function noteFailedBackup({ settings }: Pick<Store, 'settings'>, failed: FailedBackup): Promise<void> {
  return settings.set(failedKey, JSON.stringify(failed))
}

/**
 * When a backup was last made in `backup.dir`, or failed there, in epoch milliseconds; null = never. Backups made elsewhere
 * do not count for the schedule: they would replace the automatic ones.
 */
export async function findLastAttempt({ settings }: Pick<Store, 'settings'>): Promise<number | null> {
  return read(z.number(), await settings.find(attemptKey))
}

/** Records that a backup was made in `backup.dir`, or failed there. */
export function noteAttempt({ settings }: Pick<Store, 'settings'>, at: number): Promise<void> {
  return settings.set(attemptKey, JSON.stringify(at))
}

function read<Value>(form: z.ZodType<Value>, text: string | null): Value | null {
  if (text === null) return null
  try {
    return form.parse(JSON.parse(text))
  } catch {
    return null // written by another version: treated as absent
  }
}

/** Whether a backup was deleted or moved away, or its disk is not mounted; false if its folder cannot be read. */
function isBackupGone(path: string): Promise<boolean> {
  const check = running.get(path) ?? look(path)
  running.set(path, check)
  return Promise.race([check, pause(PATIENCE_MS, false, { ref: false })])
}

async function look(path: string): Promise<boolean> {
  try {
    await stat(path)
    return false
  } catch (error) {
    return isAbsent(error)
  } finally {
    running.delete(path)
  }
}
