import type { BackupRecord } from '../../backup/last-backup.ts'
import { commandFor, serveCommand } from '../../config/command-line.ts'
import type { Config } from '../../config/read-config.ts'
import { formatBytes } from '../../domain/text/format-bytes.ts'
import { formatAge } from '../ui/format/time-ago.ts'
import type { StatusCard } from './status-card.ts'

/** Age of an old backup when no interval is configured. */
const OLD_BACKUP_MS = 7 * 86_400_000
/** Backups of a large host take long. */
const LATE_BACKUP_MS = 3_600_000

/** Status of the last backup at `now`, in epoch milliseconds. */
export function backupCard(
  config: Pick<Config, 'backup' | 'dataDir' | 'origins'>,
  { failed, isLastGone, last, now }: BackupRecord & { readonly now: number },
): StatusCard {
  const title = 'Backup'
  const { backup, dataDir } = config
  const create = commandFor(dataDir, 'backup create /backups')
  if (failed !== null) {
    const text = `The last backup failed ${formatAge(failed.at, now)}: ${failed.reason} ${describeEarlier()}`
    return { title, state: 'failed', text, remedy: create }
  }
  const daily = `# Or every day, by the server:\n${serveCommand(config, { TEXPROOF_BACKUP_EVERY: '24h' })}`
  if (last === null) return { title, state: 'warned', text: 'This host has no backup.', remedy: `${create}\n${daily}` }
  const size = `Last backup: ${formatAge(last.at, now)}, ${formatBytes(last.sizeBytes)}`
  if (isLastGone) {
    const text = `${size}. ${last.path} is missing: it was deleted or moved, or its disk is not mounted.`
    return { title, state: 'warned', text, remedy: create }
  }
  const isOld = now - last.at > (backup.everyMs === null ? OLD_BACKUP_MS : 2 * backup.everyMs + LATE_BACKUP_MS)
  const lies = last.path.startsWith(`${dataDir}/`) ? ' It is in the data directory: copy it to another machine.' : ''
  return {
    title,
    state: isOld ? 'warned' : 'good',
    text: `${size}, ${last.path}.${lies}`,
    remedy: isOld ? (backup.everyMs === null ? `${create}\n${daily}` : create) : null,
  }

  function describeEarlier(): string {
    if (last === null) return 'There is no earlier backup.'
    return `Last successful backup: ${formatAge(last.at, now)}${isLastGone ? `, but ${last.path} is missing` : ''}.`
  }
}
