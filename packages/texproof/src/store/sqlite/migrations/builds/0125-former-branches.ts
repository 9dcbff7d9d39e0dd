import { sql, type Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The builds of former branches: deleted ones whose names are in use again. */
export const formerBranches: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('build').addColumn('ended_with_id', 'integer').execute()
    await db.schema.alterTable('deleted_branch').addColumn('last_build_id', 'integer').execute()
    await sql`update deleted_branch set last_build_id = (select max(build.id) from build
      where build.repository_id = deleted_branch.repository_id
        and build.ref = 'refs/heads/' || deleted_branch.name)`.execute(db)
  },
}
