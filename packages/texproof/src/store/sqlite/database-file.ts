/**
 * A database that is not in use: the copy in a backup, or the database of a data directory whose host is stopped. It is
 * read as it is, whichever version wrote it: the schema is not migrated, and all queries use tables of the first
 * version.
 */
import { DatabaseSync } from 'node:sqlite'

import { notSentAgain } from '../webhooks/queue-webhook-events.ts'

/** Key of the setting with the last id of the push journal in a backup: the events of these pushes may have been sent since. */
export const backedUpEntryKey = 'backup.last_entry_id'

/** A repository with its own git directory. */
export interface FiledRepository {
  readonly id: number
  /** `alice/tides`. */
  readonly fullName: string
}

/** A repository with the values that a check compares with its refs. */
export interface CheckedRepository extends FiledRepository {
  readonly defaultBranch: string
  readonly isInTrash: boolean
  /** Post-receive has not run for a push: the refs may be ahead of the builds. */
  readonly hasJournalEntry: boolean
}

/** Number of rows, for display. */
export interface DatabaseCounts {
  readonly users: number
  readonly repositories: number
  readonly tokens: number
}

/** The newest ids in a copy of the database. */
export interface CopiedPushes {
  readonly lastPushId: number
  readonly lastEntryId: number
}

/** A push after the copy was taken, as a journal entry. */
export interface LaterPush {
  readonly repositoryId: number
  /** Null if the account was deleted. */
  readonly userId: string | null
  readonly updates: readonly {
    readonly ref: string
    readonly oldCommitId: string | null
    readonly newCommitId: string | null
  }[]
  /** Epoch milliseconds. */
  readonly createdAt: number
}

/** An open database file. */
export interface DatabaseFile {
  /** The first error of SQLite's integrity check; null if the file is intact. */
  findDamage(): string | null
  /** Names of the applied migrations. */
  listMigrations(): readonly string[]
  count(): DatabaseCounts
  /** A value of the settings table; null = absent. */
  findSetting(key: string): string | null
  /** Every repository with a git directory, including those in the trash. */
  listRepositories(): Iterable<FiledRepository>
  /** The repositories of `listRepositories`, with the values for a check. */
  listCheckedRepositories(): readonly CheckedRepository[]
  /** The commit of the newest build, by full ref name. */
  listNewestBuilds(repositoryId: number): ReadonlyMap<string, string>
  /** PDFs that eviction keeps: of tags, and the newest of each branch, but not of those that ended. */
  listKeptPdfs(): readonly KeptPdf[]
  /** Ids of all repositories that have a row, in any state. */
  listRepositoryIds(): ReadonlySet<number>
  /** Content ids of the PDFs of tags, without duplicates. */
  listTagPdfIds(): readonly string[]
  /** Marks a repository without git directory for removal: the next start removes its row, see `listUnfinished`. */
  giveUpRepository(id: number): void
  /** The ids of its newest pushes. */
  findCopiedPushes(): CopiedPushes
  /**
   * Adds pushes since `copied` to the journal, except those that it contained then, and makes the branches whose names they
   * use again former branches, see `Builds`.
   */
  addPushes(pushes: readonly LaterPush[], copied: CopiedPushes): void
  /**
   * Removes sessions and one-time links except invitations, which would give access. Of what the host sends after the copy
   * was taken, nothing is sent again: queued emails are removed, and the deliveries of webhooks and the events of pushes in
   * the journal fail.
   */
  removeTransient(): void
  /** May be called twice. */
  close(): void
}

/** A PDF to which a build refers. */
export interface KeptPdf {
  readonly repositoryId: number
  /** `alice/tides`. */
  readonly fullName: string
  /** Full name of the branch or tag. */
  readonly ref: string
  readonly pdfId: string
}

/**
 * Opens a database file, read-only unless it may be changed.
 *
 * @throws Error when the file is not a database.
 */
export function openDatabaseFile(path: string, { isReadOnly }: { readonly isReadOnly: boolean }): DatabaseFile {
  const database = new DatabaseSync(path, { readOnly: isReadOnly })
  const countRows = (from: string): number =>
    Number(database.prepare(`select count(*) as total from ${from}`).get()?.['total'])
  /** Databases of earlier versions do not record which branches have ended. */
  const hasEnds = (): boolean => countRows(`pragma_table_info('build') where name = 'ended_with_id'`) > 0

  return {
    findDamage() {
      const found = database.prepare('pragma integrity_check(1)').get()?.['integrity_check']
      return found === 'ok' ? null : String(found)
    },

    listMigrations: () =>
      database
        .prepare('select name from kysely_migration order by name')
        .all()
        .map(({ name }) => String(name)),

    count: () => ({
      users: countRows('user'),
      repositories: countRows(`repository where state = 'ready'`),
      tokens: countRows('token'),
    }),

    findSetting(key) {
      const value = database.prepare('select value from host_setting where key = ?').get(key)?.['value']
      return typeof value === 'string' ? value : null
    },

    *listRepositories() {
      const rows = database.prepare(
        `select repository.id, user.login || '/' || repository.name as full_name
           from repository join user on user.id = repository.owner_id
          where repository.id > ? and repository.state in ('ready', 'trashed') order by repository.id limit 500`,
      )
      for (let last = 0, found = rows.all(last); found.length > 0; found = rows.all(last))
        for (const { id, full_name: fullName } of found) {
          last = Number(id)
          yield { id: last, fullName: String(fullName) }
        }
    },

    listCheckedRepositories: () =>
      database
        .prepare(
          `select repository.id, user.login || '/' || repository.name as full_name, default_branch, repository.state,
                  exists (select 1 from push_journal where repository_id = repository.id) as has_entry
             from repository join user on user.id = repository.owner_id
            where repository.state in ('ready', 'trashed') order by repository.id`,
        )
        .all()
        .map((row) => ({
          id: Number(row['id']),
          fullName: String(row['full_name']),
          defaultBranch: String(row['default_branch']),
          isInTrash: row['state'] === 'trashed',
          hasJournalEntry: row['has_entry'] === 1,
        })),

    listNewestBuilds: (repositoryId) =>
      new Map(
        database
          .prepare(
            `select ref, commit_id from build
              where id in (select max(id) from build where repository_id = ? group by ref)`,
          )
          .all(repositoryId)
          .map(({ ref, commit_id: commitId }) => [String(ref), String(commitId)]),
      ),

    listKeptPdfs: () =>
      database
        .prepare(
          `select repository_id, user.login || '/' || repository.name as full_name, ref, pdf_id
             from build join repository on repository.id = repository_id join user on user.id = repository.owner_id
            where repository.state = 'ready' and pdf_id is not null ${hasEnds() ? 'and ended_with_id is null' : ''}
              and (ref like 'refs/tags/%' or build.id in
                    (select max(id) from build where state = 'succeeded' and ref like 'refs/heads/%'
                      group by repository_id, ref, document))
            order by build.id`,
        )
        .all()
        .map((row) => ({
          repositoryId: Number(row['repository_id']),
          fullName: String(row['full_name']),
          ref: String(row['ref']),
          pdfId: String(row['pdf_id']),
        })),

    listRepositoryIds: () =>
      new Set(
        database
          .prepare('select id from repository')
          .all()
          .map(({ id }) => Number(id)),
      ),

    listTagPdfIds: () =>
      database
        .prepare(
          `select distinct pdf_id from build where pdf_id is not null and ref like 'refs/tags/%' order by pdf_id`,
        )
        .all()
        .map(({ pdf_id: pdfId }) => String(pdfId)),

    giveUpRepository(id) {
      database.prepare(`update repository set state = 'removing' where id = ?`).run(id)
    },

    findCopiedPushes() {
      const newest = (table: string): number =>
        Number(database.prepare(`select coalesce(max(id), 0) as id from ${table}`).get()?.['id'])
      return { lastPushId: newest('push'), lastEntryId: newest('push_journal') }
    },

    addPushes(pushes, { lastEntryId }) {
      const known = database.prepare(
        `select 1 from push_journal, json_each(updates)
          where push_journal.id <= ? and repository_id = ? and value ->> 'ref' = ? and value ->> 'newCommitId' is ?`,
      )
      const add = database.prepare(
        `insert into push_journal (repository_id, user_id, updates, created_at)
         values (?, (select id from user where id = ?), ?, ?)`,
      )
      const findLast = database.prepare(
        `select max(id) as id from build where repository_id = ? and ref = ? and ended_with_id is null`,
      )
      const end = database.prepare(
        `update build set ended_with_id = ? where repository_id = ? and ref = ? and ended_with_id is null`,
      )
      for (const { repositoryId, userId, updates, createdAt } of pushes) {
        const fresh = updates.filter(
          ({ ref, newCommitId }) => known.get(lastEntryId, repositoryId, ref, newCommitId) === undefined,
        )
        if (fresh.length > 0) add.run(repositoryId, userId, JSON.stringify(fresh), createdAt)
        // The copy has no builds of a branch that was created after it.
        for (const { ref, oldCommitId } of fresh)
          if (oldCommitId === null && ref.startsWith('refs/heads/'))
            end.run(findLast.get(repositoryId, ref)?.['id'] ?? null, repositoryId, ref)
      }
    },

    removeTransient() {
      // Deleted data is overwritten, too: the file leaves the protection of the host.
      database.exec('pragma secure_delete = on')
      database.exec(
        `delete from session; delete from one_time_code where purpose not in ('invite', 'coauthor'); delete from letter`,
      )
      database
        .prepare(`update webhook_delivery set state = 'failed', problem = ? where state = 'queued'`)
        .run(notSentAgain)
      database
        .prepare(`insert or replace into host_setting (key, value) select ?, coalesce(max(id), 0) from push_journal`)
        .run(backedUpEntryKey)
    },

    close() {
      if (database.isOpen) database.close()
    },
  }
}
