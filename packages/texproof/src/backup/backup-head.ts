import { z } from 'zod'

import { readVersion } from '../base/read-version.ts'
import { knownMigrations } from '../store/sqlite/migrate.ts'
import { BackupError } from './backup-error.ts'

/** What a backup says of itself. */
export interface BackupHead {
  /** Of the version that made it. */
  readonly version: string
  /** The migrations of its database. */
  readonly migrations: readonly string[]
  /** Epoch milliseconds of the moment that its database shows. */
  readonly createdAt: number
}

/** The form of backups that this version writes; others are not read. */
const form = 1

const headForm = z.object({
  format: z.int(),
  version: z.string().max(100),
  migrations: z.array(z.string().max(200)).max(10_000),
  created_at: z.iso.datetime().max(40),
})

/** The head as it stands in the file. */
export function encodeHead({ version, migrations, createdAt }: BackupHead): string {
  const head = { format: form, version, migrations, created_at: new Date(createdAt).toISOString() }
  return `${JSON.stringify(head, null, 2)}\n`
}

/** The head of a backup; null for a text that is none. @throws BackupError for a form of a later version. */
export function parseHead(text: string): BackupHead | null {
  const found = headForm.safeParse(parseJson(text))
  if (!found.success) return null
  const { format, version, migrations, created_at: createdAt } = found.data
  if (format !== form) throw tooNew(`it has form ${format}, and this Texproof reads form ${form}`, version)
  return { version, migrations, createdAt: Date.parse(createdAt) }
}

/** @throws BackupError when a later version made the backup, whose database this one cannot read. */
export function requireKnownMigrations({ migrations, version }: BackupHead): void {
  const unknown = migrations.find((name) => !knownMigrations.includes(name))
  if (unknown !== undefined)
    throw tooNew(`its database has migration ${unknown}, which this one does not know`, version)
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
    return null // no JSON is no head either
  }
}
