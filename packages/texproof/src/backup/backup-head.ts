import { z } from 'zod'

import { readVersion } from '../base/read-version.ts'
import { knownMigrations } from '../store/sqlite/migrate.ts'
import { BackupError } from './backup-error.ts'

/** The description of a backup. */
export interface BackupHead {
  /** The version that created it. */
  readonly version: string
  /** The migrations of its database. */
  readonly migrations: readonly string[]
  /** Time of the database snapshot, epoch milliseconds. */
  readonly createdAt: number
}

/** The format of backups that this version writes and reads. */
const form = 1

const headForm = z.object({
  format: z.int(),
  version: z.string().max(100),
  migrations: z.array(z.string().max(200)).max(10_000),
  created_at: z.iso.datetime().max(40),
})

/** Encodes the first entry. */
export function encodeHead({ version, migrations, createdAt }: BackupHead): string {
  const head = { format: form, version, migrations, created_at: new Date(createdAt).toISOString() }
  return `${JSON.stringify(head, null, 2)}\n`
}

/** Parses the first entry; null if it is invalid. @throws BackupError for the format of a newer version. */
export function parseHead(text: string): BackupHead | null {
  const found = headForm.safeParse(parseJson(text))
  if (!found.success) return null
  const { format, version, migrations, created_at: createdAt } = found.data
  if (format !== form) throw tooNew(`it has format ${format}, and this version reads format ${form}`, version)
  return { version, migrations, createdAt: Date.parse(createdAt) }
}

/** @throws BackupError when a newer version created the backup, whose database this one cannot read. */
export function requireKnownMigrations({ migrations, version }: BackupHead): void {
  const unknown = migrations.find((name) => !knownMigrations.includes(name))
  if (unknown !== undefined)
    throw tooNew(`its database has the migration ${unknown}, which this version does not have`, version)
}

function tooNew(why: string, version: string): BackupError {
  return new BackupError(`this backup is from Texproof ${version}; this is Texproof ${readVersion()}: ${why}`, {
    remedy: 'Upgrade first, then restore. Nothing was changed.',
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // invalid JSON is also not a valid entry
  }
}
