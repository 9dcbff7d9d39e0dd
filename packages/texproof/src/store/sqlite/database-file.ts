/**
 * A database that is not in use: the copy that a backup takes with it, the one that came out of a backup, or the one that
 * lies in a data directory while its host is stopped. It is read as it is, whatever version wrote it: nothing here
 * brings a schema up to date, and what is asked stands in the tables of the first one.
 */
import { DatabaseSync } from 'node:sqlite'

/** A repository with a git directory of its own. */
export interface FiledRepository {
  readonly id: number
  /** `alice/tides`. */
  readonly fullName: string
}

/** A repository with what a check compares with its refs. */
export interface CheckedRepository extends FiledRepository {
  readonly defaultBranch: string
  readonly isInTrash: boolean
  /** A push of it is not recorded yet: its refs may be ahead of its builds. */
  readonly hasJournalEntry: boolean
}

/** How much there is, for a person. */
export interface DatabaseCounts {
  readonly users: number
  readonly repositories: number
  readonly tokens: number
}

/** An open database file. */
export interface DatabaseFile {
  /** What the check of SQLite says first; null when the file is whole. */
  findDamage(): string | null
  /** Names of the migrations that made the schema. */
  listMigrations(): readonly string[]
  count(): DatabaseCounts
  /** What stands in the table of settings; null = nothing. */
  findSetting(key: string): string | null
  /** Every one with a git directory, also those in the trash, one after another. */
  listRepositories(): Iterable<FiledRepository>
  /** The same with what a check needs to know. */
  listCheckedRepositories(): readonly CheckedRepository[]
  /** By full name of the ref, the commit of its newest build. */
  listNewestBuilds(repositoryId: number): ReadonlyMap<string, string>
  /** Ids of all repositories that have a row, in whatever state. */
  listRepositoryIds(): ReadonlySet<number>
  /** Content ids of the PDFs of tags, each once. */
  listTagPdfIds(): readonly string[]
  /** Its git directory is gone for good: its row is swept away at the next start, see `listUnfinished`. */
  giveUpRepository(id: number): void
  /** Removes sessions, one-time links except invitations, and queued emails, which would be sent twice. */
  removeSessions(): void
  /** Once more does nothing. */
  close(): void
}

/**
 * Opens the file of a database; `isReadOnly` unless it is ours to change.
 *
 * @throws Error when it holds no database.
 */
export function openDatabaseFile(path: string, { isReadOnly }: { readonly isReadOnly: boolean }): DatabaseFile {
  const database = new DatabaseSync(path, { readOnly: isReadOnly })
  const countRows = (from: string): number =>
    Number(database.prepare(`select count(*) as total from ${from}`).get()?.['total'])

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

    removeSessions() {
      // What is deleted is overwritten, too: the file goes to places that the host does not guard.
      database.exec('pragma secure_delete = on')
      database.exec(`delete from session; delete from one_time_code where purpose <> 'invite'; delete from letter`)
    },

    close() {
      if (database.isOpen) database.close()
    },
  }
}
