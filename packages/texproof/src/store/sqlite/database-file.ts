/**
 * Reads a database that is not in use: the copy in a backup, or the database of a data directory whose host is stopped. It is
 * read as it is, whichever version wrote it: the schema is not migrated, and all queries use tables of the first
 * version.
 */
import { DatabaseSync } from 'node:sqlite'

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
 * Opens a database file read-only.
 *
 * @throws Error when the file is not a database.
 */
export function openDatabaseFile(path: string): DatabaseFile {
  return readDatabase(new DatabaseSync(path, { readOnly: true }))
}

/** The queries of an open database; `close` closes it. */
export function readDatabase(database: DatabaseSync): DatabaseFile {
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

    close() {
      if (database.isOpen) database.close()
    },
  }
}
