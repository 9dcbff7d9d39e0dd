import type { Kysely } from 'kysely'

import type { Build, BuildProblem, BuildRecord, BuildSummary } from '../../domain/build.ts'
import type { ReadCache } from '../sqlite/read-cache.ts'
import type { Schema } from '../schema.ts'
import { orNull, parseDiagnostics, recordColumns, toBuild, toRecord } from './build-rows.ts'

/** A document of a ref; null = any document. */
export interface BuildsOfRef {
  readonly ref: string
  readonly document: string | null
}

/**
 * Reads builds. Cancelled builds are found only by number and in lists. The builds of a ref do not include builds of former
 * branches, see `endBranch`.
 */
export interface BuildLookups {
  /** Filters the ids, keeping the ids of cancelled builds. */
  listCancelled(ids: readonly number[]): Promise<readonly number[]>
  find(id: number): Promise<Build | null>
  findByNumber(repositoryId: number, number: number): Promise<Build | null>
  /** Newest first. */
  list(repositoryId: number, page: { readonly limit: number; readonly offset: number }): Promise<readonly BuildRecord[]>
  count(repositoryId: number): Promise<number>
  /** The last build of each ref, by full name, in any state. */
  listLastIds(repositoryId: number): Promise<ReadonlyMap<string, number>>
  /** Newest build of a ref, finished or not. */
  findNewest(repositoryId: number, of: BuildsOfRef): Promise<Build | null>
  /**
   * Newest build of a ref with a PDF: without errors if there is one, else with. The PDF of a confirming build counts.
   */
  findNewestWithPdf(repositoryId: number, of: BuildsOfRef): Promise<Build | null>
  /** Newest build of a document of one commit with a PDF, whichever ref requested it. */
  findWithPdfOfCommit(
    repositoryId: number,
    of: { readonly commitId: string; readonly document: string },
  ): Promise<Build | null>
  /** The newest build of each document of one commit, whichever ref requested it, in the order of the requests. */
  listOfCommit(repositoryId: number, commitId: string): Promise<readonly BuildRecord[]>
  /** Diagnostics of these builds, by id; builds without any are omitted. */
  listProblems(ids: readonly number[]): Promise<ReadonlyMap<number, readonly BuildProblem[]>>
  /** The newest build of every document at each of these commits, without its diagnostics. */
  summarize(repositoryId: number, commitIds: readonly string[]): Promise<readonly BuildSummary[]>
  /**
   * Of each document of each branch of these repositories, the newest build if it failed or is not over, newest first.
   * Includes deleted branches and documents that are no longer built.
   */
  listUnwell(repositoryIds: readonly number[], options: { readonly limit: number }): Promise<readonly BuildRecord[]>
  /** Newest error-free build of the same document, tree and tools; of the same commit, if it has one. */
  findSame(
    build: Pick<Build, 'repositoryId' | 'commitId' | 'treeId' | 'rootFile' | 'engine' | 'bibliography'>,
  ): Promise<Build | null>
  /** Builds of a repository that are not over, oldest first. */
  listInProgress(repositoryId: number): Promise<readonly BuildRecord[]>
  /** Builds that have been queued since before a time (epoch milliseconds), oldest first. @default all */
  listQueued(options?: { readonly before?: number }): Promise<readonly Build[]>
  /** Ids of the same builds. */
  listQueuedIds(options?: { readonly before?: number }): Promise<readonly number[]>
}

/** Creates the lookups of the builds table. */
export function createBuildLookups(db: Kysely<Schema>, read: ReadCache): BuildLookups {
  const builds = db.selectFrom('build').selectAll()
  const records = db.selectFrom('build').select(recordColumns)

  function newestOfRef(repositoryId: number, { ref, document }: BuildsOfRef) {
    const ofRef = builds
      .where('repository_id', '=', repositoryId)
      .where('ref', '=', ref)
      .where('ended_with_id', 'is', null)
      .orderBy('id', 'desc')
      .limit(1)
    return document === null ? ofRef : ofRef.where('document', '=', document)
  }

  async function findWithPdf(newest: ReturnType<typeof newestOfRef>): Promise<Build | null> {
    const good = await newest
      .where((is) => is.or([is('state', '=', 'succeeded'), is('state', '=', 'running').and('pdf_id', 'is not', null)]))
      .executeTakeFirst()
    if (good !== undefined) return toBuild(good)
    return orNull(await newest.where('pdf_id', 'is not', null).executeTakeFirst())
  }

  return {
    async listCancelled(ids) {
      if (ids.length === 0) return []
      const rows = await db
        .selectFrom('build')
        .select('id')
        .where('id', 'in', ids)
        .where('state', '=', 'cancelled')
        .execute()
      return rows.map(({ id }) => id)
    },

    async find(id) {
      return orNull(await builds.where('id', '=', id).executeTakeFirst())
    },

    async findByNumber(repositoryId, number) {
      return orNull(
        await builds.where('repository_id', '=', repositoryId).where('number', '=', number).executeTakeFirst(),
      )
    },

    async list(repositoryId, { limit, offset }) {
      const rows = await records
        .where('repository_id', '=', repositoryId)
        .orderBy('number', 'desc')
        .limit(limit)
        .offset(offset)
        .execute()
      return rows.map(toRecord)
    },

    async count(repositoryId) {
      const row = await db
        .selectFrom('build')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('repository_id', '=', repositoryId)
        .executeTakeFirstOrThrow()
      return row.count
    },

    async listLastIds(repositoryId) {
      const rows = await db
        .selectFrom('build')
        .select((select) => ['ref', select.fn.max('id').as('id')])
        .where('repository_id', '=', repositoryId)
        .where('ended_with_id', 'is', null)
        .groupBy('ref')
        .execute()
      return new Map(rows.map(({ ref, id }) => [ref, id]))
    },

    async findNewest(repositoryId, of) {
      const load = async () => ({
        build: orNull(await newestOfRef(repositoryId, of).where('state', '!=', 'cancelled').executeTakeFirst()),
      })
      return (await read(`newest-build:${JSON.stringify([repositoryId, of.ref, of.document])}`, load, weightOf)).build
    },

    findNewestWithPdf: (repositoryId, of) => findWithPdf(newestOfRef(repositoryId, of)),

    findWithPdfOfCommit: (repositoryId, { commitId, document }) =>
      findWithPdf(
        builds
          .where('repository_id', '=', repositoryId)
          .where('commit_id', '=', commitId)
          .where('document', '=', document)
          .orderBy('id', 'desc')
          .limit(1),
      ),

    async listOfCommit(repositoryId, commitId) {
      const rows = await records
        .where('repository_id', '=', repositoryId)
        .where('commit_id', '=', commitId)
        .where('state', '!=', 'cancelled')
        .orderBy('id')
        .execute()
      return [...new Map(rows.map((row) => [row.document, toRecord(row)])).values()]
    },

    async listProblems(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db
        .selectFrom('build')
        .select(['id', 'diagnostics'])
        .where('id', 'in', ids)
        .where((is) => is.or([is('error_count', '>', 0), is('warning_count', '>', 0)]))
        .execute()
      return new Map(
        rows.map(({ id, diagnostics }) => {
          const { errors, warnings } = parseDiagnostics(diagnostics)
          return [id, [...errors, ...warnings]]
        }),
      )
    },

    async summarize(repositoryId, commitIds) {
      if (commitIds.length === 0) return []
      const load = async (): Promise<readonly BuildSummary[]> => {
        const rows = await db
          .selectFrom('build')
          .select(['commit_id', 'document', 'state', 'pdf_id', 'warning_count'])
          .where('repository_id', '=', repositoryId)
          .where('commit_id', 'in', commitIds)
          .where('state', '!=', 'cancelled')
          .orderBy('id')
          .execute()
        const newest = new Map(rows.map((row) => [`${row.commit_id} ${row.document}`, row]))
        return [...newest.values()].map(({ commit_id, document, state, pdf_id, warning_count }) => {
          return { commitId: commit_id, document, state, pdfId: pdf_id, warningCount: warning_count }
        })
      }
      return read(`summaries:${repositoryId}:${commitIds.join()}`, load, (summaries) => 1 + summaries.length / 2)
    },

    async listUnwell(repositoryIds, { limit }) {
      if (repositoryIds.length === 0) return []
      const newest = db
        .selectFrom('build')
        .select((select) => select.fn.max('id').as('id'))
        .where('repository_id', 'in', repositoryIds)
        .where('ref', 'like', 'refs/heads/%')
        .where('ended_with_id', 'is', null)
        .where('state', '!=', 'cancelled')
        .groupBy(['repository_id', 'ref', 'document'])
      const rows = await records
        .where('id', 'in', newest)
        .where('state', 'in', ['failed', 'queued', 'running'])
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toRecord)
    },

    async findSame({ repositoryId, commitId, treeId, rootFile, engine, bibliography }) {
      const row = await builds
        .where('repository_id', '=', repositoryId)
        .where('tree_id', '=', treeId)
        .where('root_file', '=', rootFile)
        .where('engine', '=', engine)
        .where('bibliography', '=', bibliography)
        .where('state', '=', 'succeeded')
        .orderBy(({ eb }) => eb('commit_id', '=', commitId), 'desc')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return orNull(row)
    },

    async listInProgress(repositoryId) {
      const rows = await records
        .where('repository_id', '=', repositoryId)
        .where('state', 'in', ['queued', 'running'])
        .orderBy('id')
        .execute()
      return rows.map(toRecord)
    },

    async listQueuedIds({ before = Number.MAX_SAFE_INTEGER } = {}) {
      const rows = await db
        .selectFrom('build')
        .select('id')
        .where('state', '=', 'queued')
        .where('created_at', '<', before)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    async listQueued({ before } = {}) {
      const queued = builds.where('state', '=', 'queued').orderBy('id')
      const rows = await (before === undefined ? queued : queued.where('created_at', '<', before)).execute()
      return rows.map(toBuild)
    },
  }
}

/** Approximate size in kilobytes: a problem has at most one. */
function weightOf({ build }: { readonly build: Build | null }): number {
  return build === null ? 1 : 2 + build.errors.length + build.warnings.length
}
