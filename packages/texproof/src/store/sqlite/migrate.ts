import { join } from 'node:path'

import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'

import { initial } from './migrations/0001-initial.ts'
import { builds } from './migrations/builds/0002-builds.ts'
import { accounts } from './migrations/0010-accounts.ts'
import { pushedAt } from './migrations/0021-pushed-at.ts'
import { repositoryChanges } from './migrations/0022-repository-changes.ts'
import { pushes } from './migrations/0023-pushes.ts'
import { trash } from './migrations/0024-trash.ts'
import { shareLinks } from './migrations/sharing/0030-share-links.ts'
import { letters } from './migrations/0032-letters.ts'
import { quotas } from './migrations/0040-quotas.ts'
import { pushJournal } from './migrations/0045-push-journal.ts'
import { buildRetention } from './migrations/builds/0050-build-retention.ts'
import { drafts } from './migrations/0060-drafts.ts'
import { sharedDrafts } from './migrations/0065-shared-drafts.ts'
import { buildLeases } from './migrations/builds/0070-build-leases.ts'
import { formerBranches } from './migrations/builds/0125-former-branches.ts'
import { buildIndexes } from './migrations/builds/0130-build-indexes.ts'
import { webhooks } from './migrations/0080-webhooks.ts'
import { templates } from './migrations/0085-templates.ts'
import { repositoryInvitations } from './migrations/sharing/0090-repository-invitations.ts'
import { throttles } from './migrations/0095-throttles.ts'
import { dictionaryWords } from './migrations/0110-dictionary-words.ts'
import { mirrors } from './migrations/0115-mirrors.ts'
import { pushIndex } from './migrations/0135-push-index.ts'
import { eventIndexes } from './migrations/0140-event-indexes.ts'
import { sealedShareLinks } from './migrations/sharing/0120-sealed-share-links.ts'
import { repositoryTransfers } from './migrations/sharing/0098-repository-transfers.ts'
import { instances } from './migrations/0100-instances.ts'
import type { Schema } from '../schema.ts'
import { copyBeforeUpgrade } from './copy-before-upgrade.ts'
import { isServed } from './data-dir-lock.ts'
import { SqliteHandle } from './sqlite-handle.ts'

/** Every migration, sorted by name. Forward only: released migrations are never edited. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': initial,
  '0002-builds': builds,
  '0010-accounts': accounts,
  '0021-pushed-at': pushedAt,
  '0022-repository-changes': repositoryChanges,
  '0023-pushes': pushes,
  '0024-trash': trash,
  '0030-share-links': shareLinks,
  '0032-letters': letters,
  '0040-quotas': quotas,
  '0045-push-journal': pushJournal,
  '0050-build-retention': buildRetention,
  '0060-drafts': drafts,
  '0065-shared-drafts': sharedDrafts,
  '0070-build-leases': buildLeases,
  '0080-webhooks': webhooks,
  '0085-templates': templates,
  '0090-repository-invitations': repositoryInvitations,
  '0095-throttles': throttles,
  '0098-repository-transfers': repositoryTransfers,
  '0100-instances': instances,
  '0110-dictionary-words': dictionaryWords,
  '0115-mirrors': mirrors,
  '0120-sealed-share-links': sealedShareLinks,
  '0125-former-branches': formerBranches,
  '0130-build-indexes': buildIndexes,
  '0135-push-index': pushIndex,
  '0140-event-indexes': eventIndexes,
}

/** Names of the migrations of this version, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations)

/** A newer version of the program has written the data directory. */
export class NewerSchema extends Error {
  override readonly name = 'NewerSchema'
  readonly code = 'NEWER_SCHEMA'

  constructor(unknownMigration: string) {
    super(
      `the database was written by a newer version (it has migration ${unknownMigration}): ` +
        'start that version, or restore a backup made before the upgrade',
    )
  }
}

/** A command of a newer version would migrate the database of a running server. */
export class SchemaInUse extends Error {
  override readonly name = 'SchemaInUse'
  readonly code = 'SCHEMA_IN_USE'

  constructor(database: string) {
    super(
      `a server of an earlier version is running on ${database}, and this version has to upgrade its database first: ` +
        'stop the server, or use the command of its version',
    )
  }
}

/** Options of a migration. */
export interface MigrateOptions {
  readonly dataDir: string
  /** Whether to migrate even if a server runs on the database: for the server itself. @default true */
  readonly migratesServed?: boolean
}

/**
 * Migrates the schema, with one transaction per migration. Safe when several processes start together. The database of an
 * earlier version is copied first.
 *
 * @throws NewerSchema when the database has migrations that this version does not know; SchemaInUse.
 */
export async function migrate(db: Kysely<Schema>, options: MigrateOptions): Promise<void> {
  // The lock file takes disk space: with a current schema, commands also work while the disk is full.
  if (isCurrent(await readAppliedMigrations(db))) return
  const lock = new SqliteHandle(join(options.dataDir, 'texproof.lock.db'))
  try {
    // Kysely does not lock SQLite, and its transaction does not include the check for pending migrations.
    await lock.runPatiently('begin exclusive', [])
    await migrateLocked(db, options)
  } finally {
    lock.close()
  }
}

async function migrateLocked(db: Kysely<Schema>, { dataDir, migratesServed = true }: MigrateOptions): Promise<void> {
  await migrateSchema(db, {
    async beforeUpgrade(migrationCount) {
      if (!migratesServed && isServed(dataDir)) throw new SchemaInUse(dataDir)
      await copyBeforeUpgrade(dataDir, { migrationCount })
    },
  })
}

/**
 * Applies the missing migrations. The caller excludes other processes. `beforeUpgrade` is called with the number of
 * applied migrations, unless the database is new.
 *
 * @throws NewerSchema.
 */
export async function migrateSchema(
  db: Kysely<Schema>,
  { beforeUpgrade }: { readonly beforeUpgrade: (migrationCount: number) => Promise<void> },
): Promise<void> {
  const applied = await readAppliedMigrations(db)
  if (isCurrent(applied)) return
  if (applied.length > 0) await beforeUpgrade(applied.length)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    // Families of tables are numbered separately: a new migration of one does not have to sort after migrations
    // of the others.
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw new Error('migrate the database', { cause: error })
}

function isCurrent(applied: readonly string[]): boolean {
  return applied.length === knownMigrations.length
}

/** @throws NewerSchema. */
async function readAppliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const applied = await listAppliedMigrations(db)
  const unknown = applied.find((name) => !(name in migrations))
  if (unknown !== undefined) throw new NewerSchema(unknown)
  return applied
}

async function listAppliedMigrations(db: Kysely<Schema>): Promise<readonly string[]> {
  const query = db.withTables<{ kysely_migration: { name: string } }>().selectFrom('kysely_migration').select('name')
  try {
    const rows = await query.execute()
    return rows.map((row) => row.name)
  } catch (error) {
    // Only now, because describing all tables takes several milliseconds of each start.
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
    if (tables.some((table) => table.name === 'kysely_migration')) throw error
    return []
  }
}
