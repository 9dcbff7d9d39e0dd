import type { LatexError, LatexWarning } from '@texproof/platex'
import { sql, type Kysely, type Selectable } from 'kysely'

import type { Build, BuildOutcome, BuildRecord, BuildSummary, NewBuild, BuildProblem } from '../../domain/build.ts'
import type { BuildTable, Schema } from '../schema.ts'
import type { BuildLease } from './build-leases.ts'
import { transact } from '../transact.ts'
import { queueWebhookEvents } from '../webhooks/queue-webhook-events.ts'

/** A document of a ref; null = any document. */
export interface BuildsOfRef {
  readonly ref: string
  readonly document: string | null
}

/** The builds table. Cancelled builds are found only by number and in lists. */
export interface Builds {
  /** Adds a queued build with the next number of its repository. */
  add(build: NewBuild): Promise<Build>
  /** Adds the builds of all documents of a commit, all or none. */
  addAll(builds: readonly NewBuild[]): Promise<readonly Build[]>
  /** Shows the PDF of a running build before its last pass confirms it. */
  setConfirming(lease: BuildLease, pdf: { readonly pdfId: string; readonly pageCount: number | null }): Promise<void>
  /** False if the build is over already, or if `lease` is given and lost. */
  finish(id: number, outcome: BuildOutcome, lease?: BuildLease): Promise<boolean>
  cancel(ids: readonly number[]): Promise<void>
  find(id: number): Promise<Build | null>
  findByNumber(repositoryId: number, number: number): Promise<Build | null>
  /** Newest first. */
  list(repositoryId: number, page: { readonly limit: number; readonly offset: number }): Promise<readonly BuildRecord[]>
  count(repositoryId: number): Promise<number>
  /** Newest build of a ref, finished or not. */
  findNewest(repositoryId: number, of: BuildsOfRef): Promise<Build | null>
  /**
   * Newest build of a ref with a PDF: without errors if there is one, else with. The PDF of a confirming build counts.
   */
  findNewestWithPdf(repositoryId: number, of: BuildsOfRef): Promise<Build | null>
  /** The newest build of each document of one commit, whichever ref requested it, in the order of the requests. */
  listOfCommit(repositoryId: number, commitId: string): Promise<readonly BuildRecord[]>
  /** Diagnostics of these builds, by id; builds without any are omitted. */
  listProblems(ids: readonly number[]): Promise<ReadonlyMap<number, readonly BuildProblem[]>>
  /** The newest build of every document at each of these commits, without its diagnostics. */
  summarise(repositoryId: number, commitIds: readonly string[]): Promise<readonly BuildSummary[]>
  /**
   * Of each document of each branch of these repositories, the newest build if it failed or is not over, newest first.
   * Includes deleted branches and documents that are no longer built.
   */
  listUnwell(repositoryIds: readonly number[], options: { readonly limit: number }): Promise<readonly BuildRecord[]>
  /** Newest error-free build of the same document, tree and tools, whose PDF can be reused. */
  findSame(
    build: Pick<Build, 'repositoryId' | 'treeId' | 'rootFile' | 'engine' | 'bibliography'>,
  ): Promise<Build | null>
  /** PDFs that must not be removed: of every tag, and the newest good one of every document of every branch. */
  listKeptPdfIds(): Promise<ReadonlySet<string>>
  /**
   * Deletes builds of a repository that finished before `before`, at most 500, and returns them. Keeps the newest build
   * and the newest with a PDF of every document of every branch and tag, builds of commits with a share link, and the
   * highest number.
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
  /** Whether any build has this PDF. */
  isPdfUsed(pdfId: string): Promise<boolean>
  /** Builds that have been queued since before a time (epoch milliseconds), oldest first. @default all */
  listQueued(options?: { readonly before?: number }): Promise<readonly Build[]>
}

/** A build whose row was deleted; its files on disk can be removed. */
export interface RemovedBuild {
  readonly id: number
  readonly pdfId: string | null
}

/** Creates the builds table of a database. */
export function createBuilds(db: Kysely<Schema>): Builds {
  const builds = db.selectFrom('build').selectAll()
  const records = db.selectFrom('build').select(recordColumns)

  function newestOfRef(repositoryId: number, { ref, document }: BuildsOfRef) {
    const ofRef = builds.where('repository_id', '=', repositoryId).where('ref', '=', ref).orderBy('id', 'desc').limit(1)
    return document === null ? ofRef : ofRef.where('document', '=', document)
  }

  return {
    add: (build) => transact(db, (transaction) => insert(transaction, build)),

    addAll: (wanted) =>
      transact(db, async (transaction) => {
        const added: Build[] = []
        for (const build of wanted) added.push(await insert(transaction, build))
        return added
      }),

    async setConfirming({ buildId, worker, attempt }, { pdfId, pageCount }) {
      await db
        .updateTable('build')
        .set({ pdf_id: pdfId, page_count: pageCount })
        .where('id', '=', buildId)
        .where('state', '=', 'running')
        .where('worker', '=', worker)
        .where('attempt', '=', attempt)
        .execute()
    },

    finish: (id, outcome, lease) =>
      transact(db, async (transaction) => {
        const { errors, warnings } = outcome
        const open = transaction.updateTable('build').where('id', '=', id).where('state', 'in', ['queued', 'running'])
        const held = lease && open.where('worker', '=', lease.worker).where('attempt', '=', lease.attempt)
        const row = await (held ?? open)
          .set({
            state: outcome.state,
            pdf_id: outcome.pdfId,
            page_count: outcome.pageCount,
            error_count: errors.length,
            warning_count: warnings.length,
            diagnostics: JSON.stringify({ errors, warnings }),
            passes: JSON.stringify(outcome.passes),
            finished_at: Date.now(),
          })
          .returning('repository_id')
          .executeTakeFirst()
        if (row === undefined) return false
        const event = { event: 'build', subject: { kind: 'build', buildId: id } } as const
        await queueWebhookEvents(transaction, row.repository_id, [event])
        return true
      }),

    async cancel(ids) {
      if (ids.length === 0) return
      await db
        .updateTable('build')
        .set({ state: 'cancelled', finished_at: Date.now(), pdf_id: null })
        .where('id', 'in', ids)
        .where('state', 'in', ['queued', 'running'])
        .execute()
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

    async findNewest(repositoryId, of) {
      return orNull(await newestOfRef(repositoryId, of).where('state', '!=', 'cancelled').executeTakeFirst())
    },

    async findNewestWithPdf(repositoryId, of) {
      const good = await newestOfRef(repositoryId, of)
        .where((is) =>
          is.or([is('state', '=', 'succeeded'), is('state', '=', 'running').and('pdf_id', 'is not', null)]),
        )
        .executeTakeFirst()
      if (good !== undefined) return toBuild(good)
      return orNull(await newestOfRef(repositoryId, of).where('pdf_id', 'is not', null).executeTakeFirst())
    },

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

    async summarise(repositoryId, commitIds) {
      if (commitIds.length === 0) return []
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
    },

    async listUnwell(repositoryIds, { limit }) {
      if (repositoryIds.length === 0) return []
      const newest = db
        .selectFrom('build')
        .select((select) => select.fn.max('id').as('id'))
        .where('repository_id', 'in', repositoryIds)
        .where('ref', 'like', 'refs/heads/%')
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

    async findSame({ repositoryId, treeId, rootFile, engine, bibliography }) {
      const row = await builds
        .where('repository_id', '=', repositoryId)
        .where('tree_id', '=', treeId)
        .where('root_file', '=', rootFile)
        .where('engine', '=', engine)
        .where('bibliography', '=', bibliography)
        .where('state', '=', 'succeeded')
        .orderBy('id', 'desc')
        .executeTakeFirst()
      return orNull(row)
    },

    async listKeptPdfIds() {
      const newest = db
        .selectFrom('build')
        .select((select) => select.fn.max('id').as('id'))
        .where('state', '=', 'succeeded')
        .where('ref', 'like', 'refs/heads/%')
        .groupBy(['repository_id', 'ref', 'document'])
      const rows = await db
        .selectFrom('build')
        .select('pdf_id')
        .distinct()
        .where('pdf_id', 'is not', null)
        .where((is) => is.or([is('ref', 'like', 'refs/tags/%'), is('id', 'in', newest)]))
        .execute()
      return new Set(rows.flatMap(({ pdf_id }) => pdf_id ?? []))
    },

    async removeOld(repositoryId, { before }) {
      const newer = sql`select 1 from build as newer
        where newer.repository_id = old.repository_id and newer.ref = old.ref and newer.id > old.id
          and newer.document = old.document`
      const old = sql<number>`(select old.id from build as old
        where old.repository_id = ${repositoryId} and old.finished_at < ${before}
          and old.number < (select max(number) from build where repository_id = ${repositoryId})
          and (old.state = 'cancelled' or exists (${newer} and newer.state != 'cancelled'))
          and (old.state != 'succeeded' or exists (${newer} and newer.state = 'succeeded'))
          and (old.pdf_id is null or exists (${newer} and newer.pdf_id is not null))
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

    async isPdfUsed(pdfId) {
      const row = await db.selectFrom('build').select('id').where('pdf_id', '=', pdfId).limit(1).executeTakeFirst()
      return row !== undefined
    },

    async listQueued({ before } = {}) {
      const queued = builds.where('state', '=', 'queued').orderBy('id')
      const rows = await (before === undefined ? queued : queued.where('created_at', '<', before)).execute()
      return rows.map(toBuild)
    },
  }
}

/** In a transaction: the lock on the repository makes the next number unique. */
async function insert(db: Kysely<Schema>, build: NewBuild): Promise<Build> {
  await db.selectFrom('repository').select('id').where('id', '=', build.repositoryId).forNoKeyUpdate().execute()
  const row = await db
    .insertInto('build')
    .values({
      repository_id: build.repositoryId,
      number: sql<number>`(select coalesce(max(number), 0) + 1 from build where repository_id = ${build.repositoryId})`,
      ref: build.ref,
      commit_id: build.commitId,
      tree_id: build.treeId,
      root_file: build.rootFile,
      document: build.document,
      engine: build.engine,
      bibliography: build.bibliography,
      reason: build.reason,
      state: 'queued',
      pdf_id: null,
      page_count: null,
      error_count: 0,
      warning_count: 0,
      diagnostics: '{"errors":[],"warnings":[]}',
      passes: '[]',
      created_at: Date.now(),
      started_at: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toBuild(row)
}

function orNull(row: Selectable<BuildTable> | undefined): Build | null {
  return row === undefined ? null : toBuild(row)
}

const recordColumns = [
  'id',
  'repository_id',
  'number',
  'ref',
  'commit_id',
  'tree_id',
  'root_file',
  'document',
  'engine',
  'bibliography',
  'reason',
  'state',
  'pdf_id',
  'page_count',
  'error_count',
  'warning_count',
  'created_at',
  'started_at',
  'finished_at',
] as const

function toRecord(row: Pick<Selectable<BuildTable>, (typeof recordColumns)[number]>): BuildRecord {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    number: row.number,
    ref: row.ref,
    commitId: row.commit_id,
    treeId: row.tree_id,
    rootFile: row.root_file,
    document: row.document,
    engine: row.engine as Build['engine'],
    bibliography: row.bibliography as Build['bibliography'],
    reason: row.reason,
    state: row.state,
    pdfId: row.pdf_id,
    pageCount: row.page_count,
    errorCount: row.error_count,
    warningCount: row.warning_count,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  }
}

/** Only `finish` writes the JSON columns. */
function toBuild(row: Selectable<BuildTable>): Build {
  return {
    ...toRecord(row),
    ...parseDiagnostics(row.diagnostics),
    passes: JSON.parse(row.passes) as Build['passes'],
  }
}

function parseDiagnostics(text: string): Pick<Build, 'errors' | 'warnings'> {
  const { errors, warnings } = JSON.parse(text) as {
    readonly errors: readonly Stored<LatexError>[]
    readonly warnings: readonly Stored<LatexWarning>[]
  }
  return { errors: errors.map(toProblem), warnings: warnings.map(toProblem) }
}

/** Version 0.1 stored summary and remedy as one field. */
type Stored<Problem> = Problem & {
  readonly advice?: { readonly summary: string; readonly remedy: string | null } | null
}

function toProblem<Problem extends LatexError | LatexWarning>(stored: Stored<Problem>): Problem {
  const { summary, remedy } = stored.advice ?? {}
  return {
    ...stored,
    ...(summary === undefined ? {} : { summary }),
    ...(remedy === undefined || remedy === null ? {} : { remedy }),
  }
}
