import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Kysely } from 'kysely'

import { createAccountEvents } from './users/account-events.ts'
import type { AccountEvents } from './users/account-events.ts'
import { createAvatars } from './users/avatars.ts'
import type { Avatars } from './users/avatars.ts'
import { createBuilds } from './builds/builds.ts'
import type { Builds } from './builds/builds.ts'
import { createBuildLeases, type BuildLeases } from './builds/build-leases.ts'
import { createWorkerKeys, type WorkerKeys } from './builds/worker-keys.ts'
import { databaseVersion } from './sqlite/database-version.ts'
import { createDeletedBranches } from './repositories/deleted-branches.ts'
import type { DeletedBranches } from './repositories/deleted-branches.ts'
import { createDrafts } from './repositories/drafts.ts'
import type { Drafts } from './repositories/drafts.ts'
import { createBuildQueries, type BuildQueries } from './admin/build-queries.ts'
import { createRepositoryQueries, type RepositoryQueries } from './admin/repository-queries.ts'
import { createUserQueries, type UserQueries } from './admin/user-queries.ts'
import { createRetentionClock, type RetentionClock } from './admin/retention-clock.ts'
import { createHostSettings } from './admin/host-settings.ts'
import type { HostSettings } from './admin/host-settings.ts'
import { createIdentities } from './users/identities.ts'
import type { Identities } from './users/identities.ts'
import { migrate, type MigrateOptions } from './sqlite/migrate.ts'
import { createQueuedEmails } from './users/queued-emails.ts'
import type { QueuedEmails } from './users/queued-emails.ts'
import { createOneTimeCodes } from './users/one-time-codes.ts'
import type { OneTimeCodes } from './users/one-time-codes.ts'
import { createPasskeys } from './users/passkeys.ts'
import type { Passkeys } from './users/passkeys.ts'
import { createPushJournal } from './repositories/push-journal.ts'
import type { PushJournal } from './repositories/push-journal.ts'
import { createPushes } from './repositories/pushes.ts'
import type { Pushes } from './repositories/pushes.ts'
import { createReadCache } from './sqlite/read-cache.ts'
import { createQuotaStore } from './repositories/quotas.ts'
import type { QuotaStore } from './repositories/quotas.ts'
import { createRepositories } from './repositories/repositories.ts'
import type { Repositories } from './repositories/repositories.ts'
import type { Schema } from './schema.ts'
import { createSecondFactors } from './users/second-factors.ts'
import type { SecondFactors } from './users/second-factors.ts'
import { createSessions } from './users/sessions.ts'
import type { Sessions } from './users/sessions.ts'
import { sqliteDialect } from './sqlite/sqlite-dialect.ts'
import { createShareLinks } from './repositories/share-links.ts'
import type { ShareLinks } from './repositories/share-links.ts'
import { SqliteHandle } from './sqlite/sqlite-handle.ts'
import { createTokens } from './users/tokens.ts'
import type { Tokens } from './users/tokens.ts'
import { createUsers } from './users/users.ts'
import type { Users } from './users/users.ts'

/** The database, with one member per table or family of tables. */
export interface Store {
  readonly users: Users
  readonly tokens: Tokens
  readonly repositories: Repositories
  readonly builds: Builds
  readonly buildLeases: BuildLeases
  readonly workerKeys: WorkerKeys
  readonly shareLinks: ShareLinks
  readonly deletedBranches: DeletedBranches
  readonly drafts: Drafts
  readonly pushes: Pushes
  readonly pushJournal: PushJournal
  readonly sessions: Sessions
  readonly codes: OneTimeCodes
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly events: AccountEvents
  readonly avatars: Avatars
  readonly identities: Identities
  readonly queuedEmails: QueuedEmails
  readonly settings: HostSettings
  readonly retentionClock: RetentionClock
  /** Every account, repository and build, for administrators. */
  readonly admin: BuildQueries & RepositoryQueries & UserQueries
  readonly quotas: QuotaStore
  /** Copies the current database to a file that does not exist yet. */
  snapshot(path: string): Promise<void>
  close(): Promise<void>
}

/** How to open the database. */
export interface OpenStoreOptions extends MigrateOptions {
  /** Called for every statement; a test ends the process here, or throws the error with which the statement fails. */
  readonly beforeStatement?: (sql: string) => void
}

/**
 * Opens the database of a data directory, and creates or migrates it if necessary.
 *
 * @throws NewerSchema when a newer version of the program wrote it; SchemaInUse.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 })
  const path = join(options.dataDir, 'texproof.db')
  const writer = new SqliteHandle(path, options)
  const reader = new SqliteHandle(path, options)
  const db = new Kysely<Schema>({ dialect: sqliteDialect({ reader, writer }) })
  try {
    await migrate(db, options)
  } catch (error) {
    await db.destroy()
    throw error
  }
  const read = createReadCache(databaseVersion({ reader, writer }))
  const tokens = createTokens(db, read)
  const settings = createHostSettings(db)
  return {
    users: createUsers(db, read),
    tokens,
    repositories: createRepositories(db, read),
    builds: createBuilds(db),
    buildLeases: createBuildLeases(db),
    workerKeys: createWorkerKeys(db),
    shareLinks: createShareLinks(db),
    deletedBranches: createDeletedBranches(db),
    drafts: createDrafts(db),
    pushes: createPushes(db),
    pushJournal: createPushJournal(db),
    sessions: createSessions(db, read),
    codes: createOneTimeCodes(db),
    secondFactors: createSecondFactors(db),
    passkeys: createPasskeys(db),
    events: createAccountEvents(db),
    avatars: createAvatars(db),
    identities: createIdentities(db),
    queuedEmails: createQueuedEmails(db),
    settings,
    retentionClock: createRetentionClock(settings),
    admin: { ...createBuildQueries(db), ...createRepositoryQueries(db), ...createUserQueries(db) },
    quotas: createQuotaStore(db),
    async snapshot(target) {
      await reader.runPatiently('VACUUM INTO ?', [target])
    },
    async close() {
      await tokens.close()
      await db.destroy()
      // Kysely opens its driver at the first query, and does not close one that was never opened.
      reader.close()
      writer.close()
    },
  }
}
