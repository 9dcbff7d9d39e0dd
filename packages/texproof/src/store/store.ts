import { createAccountEvents } from './users/account-events.ts'
import type { AccountEvents } from './users/account-events.ts'
import { createAvatars } from './users/avatars.ts'
import type { Avatars } from './users/avatars.ts'
import { createBuilds } from './builds/builds.ts'
import type { Builds } from './builds/builds.ts'
import { createBuildLeases, type BuildLeases } from './builds/build-leases.ts'
import { createWorkerKeys, type WorkerKeys } from './builds/worker-keys.ts'
import { createDeletedBranches } from './repositories/deleted-branches.ts'
import type { DeletedBranches } from './repositories/deleted-branches.ts'
import { createDrafts } from './repositories/drafts.ts'
import type { Drafts } from './repositories/drafts.ts'
import { createBuildQueries, type BuildQueries } from './admin/build-queries.ts'
import { createRepositoryQueries, type RepositoryQueries } from './admin/repository-queries.ts'
import { createUserQueries, type UserQueries } from './admin/user-queries.ts'
import { createRetentionClock, type RetentionClock } from './admin/retention-clock.ts'
import { createSealedSecrets, type SealedSecrets } from './admin/sealed-secrets.ts'
import { createHostSettings } from './admin/host-settings.ts'
import type { HostSettings } from './admin/host-settings.ts'
import { createIdentities } from './users/identities.ts'
import type { Identities } from './users/identities.ts'
import type { OpenDatabase, OpenDatabaseOptions } from './open-database.ts'
import { createRepositoryInvitations, type RepositoryInvitations } from './repositories/repository-invitations.ts'
import { createDictionaries, type Dictionaries } from './repositories/dictionaries.ts'
import { createRepositoryTransfers, type RepositoryTransfers } from './repositories/repository-transfers.ts'
import { createQueuedEmails } from './users/queued-emails.ts'
import type { QueuedEmails } from './users/queued-emails.ts'
import { createOneTimeCodes } from './users/one-time-codes.ts'
import type { OneTimeCodes } from './users/one-time-codes.ts'
import { createPasskeys } from './users/passkeys.ts'
import type { Passkeys } from './users/passkeys.ts'
import { createMirrors, type Mirrors } from './repositories/mirrors.ts'
import { createPushJournal } from './repositories/push-journal.ts'
import type { PushJournal } from './repositories/push-journal.ts'
import { createPushes } from './repositories/pushes.ts'
import type { Pushes } from './repositories/pushes.ts'
import { createReadCache } from './sqlite/read-cache.ts'
import { createQuotaStore } from './repositories/quotas.ts'
import type { QuotaStore } from './repositories/quotas.ts'
import { createRepositories } from './repositories/repositories.ts'
import type { Repositories } from './repositories/repositories.ts'
import { createSecondFactors } from './users/second-factors.ts'
import type { SecondFactors } from './users/second-factors.ts'
import { createSessions } from './users/sessions.ts'
import type { Sessions } from './users/sessions.ts'
import { createShareLinks } from './repositories/share-links.ts'
import type { ShareLinks } from './repositories/share-links.ts'
import { createInstances, type Instances } from './instances/instances.ts'
import { createRepositoryLocks, type RepositoryLocks } from './instances/repository-locks.ts'
import { openSqlite } from './sqlite/open-sqlite.ts'
import { createTemplates } from './repositories/templates.ts'
import type { Templates } from './repositories/templates.ts'
import { createThrottles, type Throttles } from './users/throttles.ts'
import { createTokens } from './users/tokens.ts'
import type { Tokens } from './users/tokens.ts'
import { createWebhookDeliveries, type WebhookDeliveries } from './webhooks/webhook-deliveries.ts'
import { createWebhooks, type Webhooks } from './webhooks/webhooks.ts'
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
  readonly templates: Templates
  readonly deletedBranches: DeletedBranches
  readonly drafts: Drafts
  readonly pushes: Pushes
  readonly pushJournal: PushJournal
  /** Servers of a PostgreSQL database; null = the database has one server at a time. */
  readonly instances: Instances | null
  readonly repositoryLocks: RepositoryLocks
  readonly webhooks: Webhooks
  readonly repositoryInvitations: RepositoryInvitations
  readonly repositoryTransfers: RepositoryTransfers
  readonly mirrors: Mirrors
  readonly dictionaries: Dictionaries
  readonly webhookDeliveries: WebhookDeliveries
  readonly sessions: Sessions
  readonly codes: OneTimeCodes
  readonly throttles: Throttles
  readonly secondFactors: SecondFactors
  readonly passkeys: Passkeys
  readonly events: AccountEvents
  readonly avatars: Avatars
  readonly identities: Identities
  readonly queuedEmails: QueuedEmails
  readonly settings: HostSettings
  readonly sealedSecrets: SealedSecrets
  readonly retentionClock: RetentionClock
  /** Every account, repository and build, for administrators. */
  readonly admin: BuildQueries & RepositoryQueries & UserQueries
  readonly quotas: QuotaStore
  /** Kind, version and place of the database, as text. */
  readonly describe: OpenDatabase['describe']
  /** Copies the current database to a SQLite file that does not exist yet. When the signal aborts, it removes the file. */
  readonly snapshot: OpenDatabase['snapshot']
  /** Calls a function when another process has changed something; notifications may be lost. */
  readonly onOthersChange: OpenDatabase['onOthersChange']
  /** Runs a task unless another instance is running it; null = it is. */
  readonly runExclusively: OpenDatabase['runExclusively']
  close(): Promise<void>
}

/**
 * Opens the database of a host, and creates or migrates it if necessary.
 *
 * @throws NewerSchema when a newer version of the program wrote it; SchemaInUse; StoreUnavailable.
 */
export async function openStore(options: OpenDatabaseOptions): Promise<Store> {
  const database = await openDatabase(options)
  const { db } = database
  const read = createReadCache(database.version)
  const tokens = createTokens(db, read)
  const settings = createHostSettings(db)
  return {
    users: createUsers(db, read),
    tokens,
    repositories: createRepositories(db, read),
    builds: createBuilds(db, read),
    buildLeases: createBuildLeases(db),
    workerKeys: createWorkerKeys(db),
    shareLinks: createShareLinks(db),
    templates: createTemplates(db),
    deletedBranches: createDeletedBranches(db),
    drafts: createDrafts(db),
    pushes: createPushes(db),
    pushJournal: createPushJournal(db, database.instanceId),
    instances: createInstances(db, { id: database.instanceId, read }),
    repositoryLocks: createRepositoryLocks(db, database.instanceId),
    webhooks: createWebhooks(db),
    repositoryInvitations: createRepositoryInvitations(db),
    repositoryTransfers: createRepositoryTransfers(db),
    mirrors: createMirrors(db),
    dictionaries: createDictionaries(db),
    webhookDeliveries: createWebhookDeliveries(db),
    sessions: createSessions(db, read),
    codes: createOneTimeCodes(db),
    throttles: createThrottles(db, { isShared: (options.databaseUrl ?? null) !== null }),
    secondFactors: createSecondFactors(db),
    passkeys: createPasskeys(db),
    events: createAccountEvents(db),
    avatars: createAvatars(db),
    identities: createIdentities(db),
    queuedEmails: createQueuedEmails(db),
    settings,
    sealedSecrets: createSealedSecrets(db),
    retentionClock: createRetentionClock(settings),
    admin: { ...createBuildQueries(db), ...createRepositoryQueries(db), ...createUserQueries(db) },
    quotas: createQuotaStore(db),
    describe: database.describe,
    snapshot: database.snapshot,
    onOthersChange: database.onOthersChange,
    runExclusively: database.runExclusively,
    async close() {
      await tokens.close()
      await database.close()
    },
  }
}

async function openDatabase(options: OpenDatabaseOptions): Promise<OpenDatabase> {
  const { databaseUrl = null } = options
  if (databaseUrl === null) return openSqlite(options)
  // Imported when it is used: most hosts and commands do not need the client library.
  const { openPostgres } = await import('./postgres/open-postgres.ts')
  return openPostgres(databaseUrl, options)
}
