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
  { failed, last, now }: BackupRecord & { readonly now: number },
): StatusCard {
  const title = 'Backup'
  const { backup, dataDir } = config
  const create = commandFor(dataDir, 'backup create /backups')
  if (failed !== null) {
    const before = last === null ? 'There is no earlier backup.' : `Last successful backup: ${formatAge(last.at, now)}.`
    const text = `The last backup failed ${formatAge(failed.at, now)}: ${failed.reason} ${before}`
    return { title, state: 'failed', text, remedy: create }
  }
  const daily = `# Or every day, by the server:\n${serveCommand(config, { TEXPROOF_BACKUP_EVERY: '24h' })}`
  if (last === null) return { title, state: 'warned', text: 'This host has no backup.', remedy: `${create}\n${daily}` }
  const isOld = now - last.at > (backup.everyMs === null ? OLD_BACKUP_MS : 2 * backup.everyMs + LATE_BACKUP_MS)
  const lies = last.path.startsWith(`${dataDir}/`) ? ' It is in the data directory: copy it to another machine.' : ''
  return {
    title,
    state: isOld ? 'warned' : 'good',
    text: `Last backup: ${formatAge(last.at, now)}, ${formatBytes(last.sizeBytes)}, ${last.path}.${lies}`,
    remedy: isOld ? (backup.everyMs === null ? `${create}\n${daily}` : create) : null,
  }
}
