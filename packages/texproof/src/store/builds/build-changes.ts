import { sql, type Kysely } from 'kysely'

import type { Build, BuildOutcome, NewBuild } from '../../domain/build.ts'
import { transact } from '../transact.ts'
import { queueWebhookEvents } from '../webhooks/queue-webhook-events.ts'
import type { Schema } from '../schema.ts'
import type { BuildLease } from './build-leases.ts'
import { toBuild } from './build-rows.ts'

/** Adds builds and changes their state. */
export interface BuildChanges {
  /** Adds a queued build with the next number of its repository. */
  add(build: NewBuild): Promise<Build>
  /** Adds the builds of all documents of a commit, all or none. */
  addAll(builds: readonly NewBuild[]): Promise<readonly Build[]>
  /** Shows the PDF of a running build before its last pass confirms it. */
  setConfirming(lease: BuildLease, pdf: { readonly pdfId: string; readonly pageCount: number | null }): Promise<void>
  /** False if the build is over already, or if `lease` is given and lost. */
  finish(id: number, outcome: BuildOutcome, lease?: BuildLease): Promise<boolean>
  cancel(ids: readonly number[]): Promise<void>
  /** Cancels the earlier builds of the same ref that are not over. */
  cancelReplaced(by: Pick<Build, 'id' | 'repositoryId' | 'ref'>): Promise<void>
  /** Makes a deleted branch a former branch: its builds up to `last` do not belong to later branches of its name. */
  endBranch(last: Pick<Build, 'id' | 'repositoryId' | 'ref'>): Promise<void>
  /** Makes the former branch that has this build the current one of its name again. */
  resumeBranch(last: Pick<Build, 'id' | 'repositoryId' | 'ref'>): Promise<void>
}

/** Creates the changes of the builds table. */
export function createBuildChanges(db: Kysely<Schema>): BuildChanges {
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

    async cancelReplaced({ id, repositoryId, ref }) {
      await db
        .updateTable('build')
        .set({ state: 'cancelled', finished_at: Date.now(), pdf_id: null })
        .where('repository_id', '=', repositoryId)
        .where('ref', '=', ref)
        .where('id', '<', id)
        .where('state', 'in', ['queued', 'running'])
        .execute()
    },

    async endBranch({ id, repositoryId, ref }) {
      await db
        .updateTable('build')
        .set({ ended_with_id: id })
        .where('repository_id', '=', repositoryId)
        .where('ref', '=', ref)
        .where('id', '<=', id)
        .where('ended_with_id', 'is', null)
        .execute()
    },

    async resumeBranch({ id, repositoryId, ref }) {
      await db
        .updateTable('build')
        .set({ ended_with_id: null })
        .where('repository_id', '=', repositoryId)
        .where('ref', '=', ref)
        .where('ended_with_id', '=', ({ selectFrom }) =>
          selectFrom('build as last').select('last.ended_with_id').where('last.id', '=', id),
        )
        .execute()
    },
  }
}

/** Inserts a build. Requires a transaction: the lock on the repository makes the next number unique. */
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
