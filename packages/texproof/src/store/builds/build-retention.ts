import { sql, type Kysely } from 'kysely'

import type { Schema } from '../schema.ts'

/** Which builds and PDFs are kept, and which are deleted. */
export interface BuildRetention {
  /**
   * PDFs that must not be removed: of every tag, and the newest good one of every document of every branch, but not of
   * those that ended.
   */
  listKeptPdfIds(): Promise<ReadonlySet<string>>
  /**
   * Deletes builds of a repository that finished before `before`, at most 500, and returns them. Keeps the newest build
   * and the newest with a PDF of every document of every branch and tag, but not of former branches, builds of commits
   * with a share link, and the highest number.
   */
  removeOld(repositoryId: number, options: { readonly before: number }): Promise<readonly RemovedBuild[]>
  /** Repositories with builds that finished before that time. */
  listRepositoriesWithOld(options: { readonly before: number }): Promise<readonly number[]>
  /** Ids of the commits that have builds, without duplicates. */
  listCommitIds(repositoryId: number): Promise<readonly string[]>
  /** Number of running builds of these commits. */
  countRunning(repositoryId: number, commitIds: readonly string[]): Promise<number>
  /** Deletes the builds of a commit, in any state. */
  removeOfCommit(repositoryId: number, commitId: string): Promise<readonly RemovedBuild[]>
  /** Content ids of every PDF of a repository's builds, without duplicates. */
  listPdfIds(repositoryId: number): Promise<readonly string[]>
  /** Ids of every build of a repository. */
  listIds(repositoryId: number): Promise<readonly number[]>
  /** Whether any build has this PDF; with `exceptOf`, any build of another repository. */
  isPdfUsed(pdfId: string, options?: { readonly exceptOf?: number }): Promise<boolean>
}

/** A build whose row was deleted; its files on disk can be removed. */
export interface RemovedBuild {
  readonly id: number
  readonly pdfId: string | null
}

/** Creates the retention of the builds table. */
export function createBuildRetention(db: Kysely<Schema>): BuildRetention {
  return {
    async listKeptPdfIds() {
      const newest = db
        .selectFrom('build')
        .select((select) => select.fn.max('id').as('id'))
        .where('state', '=', 'succeeded')
        .where('ref', 'like', 'refs/heads/%')
        .where('ended_with_id', 'is', null)
        .groupBy(['repository_id', 'ref', 'document'])
      const rows = await db
        .selectFrom('build')
        .select('pdf_id')
        .distinct()
        .where('pdf_id', 'is not', null)
        .where('ended_with_id', 'is', null)
        .where((is) => is.or([is('ref', 'like', 'refs/tags/%'), is('id', 'in', newest)]))
        .execute()
      return new Set(rows.flatMap(({ pdf_id }) => pdf_id ?? []))
    },

    async removeOld(repositoryId, { before }) {
      const newer = sql`select 1 from build as newer
        where newer.repository_id = old.repository_id and newer.ref = old.ref and newer.id > old.id
          and newer.document = old.document and newer.ended_with_id is null`
      const old = sql<number>`(select old.id from build as old
        where old.repository_id = ${repositoryId} and old.finished_at < ${before}
          and old.number < (select max(number) from build where repository_id = ${repositoryId})
          and (old.ended_with_id is not null or (
            (old.state = 'cancelled' or exists (${newer} and newer.state != 'cancelled'))
            and (old.state != 'succeeded' or exists (${newer} and newer.state = 'succeeded'))
            and (old.pdf_id is null or exists (${newer} and newer.pdf_id is not null))))
          and old.commit_id not in (select ref from share_link where repository_id = ${repositoryId})
        limit 500)`
      const rows = await db.deleteFrom('build').where('id', 'in', old).returning(['id', 'pdf_id']).execute()
      return rows.map(({ id, pdf_id: pdfId }) => ({ id, pdfId }))
    },

    async listRepositoriesWithOld({ before }) {
      const rows = await db
        .selectFrom('repository')
        .select('id')
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('build')
              .select('build.id')
              .whereRef('build.repository_id', '=', 'repository.id')
              .where('build.finished_at', '<', before),
          ),
        )
        .execute()
      return rows.map(({ id }) => id)
    },

    async listCommitIds(repositoryId) {
      const rows = await db
        .selectFrom('build')
        .select('commit_id')
        .distinct()
        .where('repository_id', '=', repositoryId)
        .execute()
      return rows.map(({ commit_id: commitId }) => commitId)
    },

    async countRunning(repositoryId, commitIds) {
      const rows = await db
        .selectFrom('build')
        .select('commit_id')
        .where('repository_id', '=', repositoryId)
        .where('state', '=', 'running')
        .execute()
      return rows.filter(({ commit_id: commitId }) => commitIds.includes(commitId)).length
    },

    async removeOfCommit(repositoryId, commitId) {
      const rows = await db
        .deleteFrom('build')
        .where('repository_id', '=', repositoryId)
        .where('commit_id', '=', commitId)
        .returning(['id', 'pdf_id'])
        .execute()
      return rows.map(({ id, pdf_id: pdfId }) => ({ id, pdfId }))
    },

    async listPdfIds(repositoryId) {
      const found = await db
        .selectFrom('build')
        .select('pdf_id')
        .distinct()
        .where('repository_id', '=', repositoryId)
        .where('pdf_id', 'is not', null)
        .execute()
      return found.flatMap(({ pdf_id: pdfId }) => pdfId ?? [])
    },

    async listIds(repositoryId) {
      const rows = await db.selectFrom('build').select('id').where('repository_id', '=', repositoryId).execute()
      return rows.map(({ id }) => id)
    },

    async isPdfUsed(pdfId, { exceptOf } = {}) {
      const users = db.selectFrom('build').select('id').where('pdf_id', '=', pdfId).limit(1)
      const row = await (
        exceptOf === undefined ? users : users.where('repository_id', '!=', exceptOf)
      ).executeTakeFirst()
      return row !== undefined
    },
  }
}
