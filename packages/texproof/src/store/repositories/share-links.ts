import { sql } from 'kysely'
import type { Kysely, Selectable } from 'kysely'

import type { Schema, ShareLinkTable } from '../schema.ts'

/** A link to the PDF of one ref that works without an account. Times are epoch milliseconds. */
export interface ShareLink {
  readonly id: number
  readonly repositoryId: number
  /** Id of the user who created it. */
  readonly createdBy: string
  /** Full name of a branch or tag, whose newest build is shown, or the id of a fixed commit. */
  readonly ref: string
  /** null = the first document. */
  readonly document: string | null
  /** The text in the address, sealed; null once revoked, and for links created before it was stored. */
  readonly sealed: string | null
  readonly viewCount: number
  readonly createdAt: number
  /** null = never. */
  readonly expiresAt: number | null
  readonly revokedAt: number | null
}

/** A link before it is stored. */
export type NewShareLink = Pick<ShareLink, 'repositoryId' | 'createdBy' | 'ref' | 'document' | 'expiresAt'> & {
  /** SHA-256 of the text in the address, hex. */
  readonly hash: string
  /** The text, sealed. */
  readonly sealed: string
}

/** The table of share links. */
export interface ShareLinks {
  add(link: NewShareLink): Promise<ShareLink>
  /** The caller checks whether it is still valid. */
  findByHash(hash: string): Promise<ShareLink | null>
  /** Newest first, including revoked and expired links. */
  listOfRepository(repositoryId: number): Promise<readonly ShareLink[]>
  countView(id: number): Promise<void>
  /** Revokes it for good; false if the repository has no such link. */
  revoke(repositoryId: number, id: number): Promise<boolean>
}

/** Creates the table of share links of a database. */
export function createShareLinks(db: Kysely<Schema>): ShareLinks {
  return {
    async add({ repositoryId, createdBy, hash, sealed, ref, document, expiresAt }) {
      const row = await db
        .insertInto('share_link')
        .values({
          repository_id: repositoryId,
          created_by: createdBy,
          hash,
          sealed,
          ref,
          document,
          view_count: 0,
          created_at: Date.now(),
          expires_at: expiresAt,
          revoked_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toShareLink(row)
    },

    async findByHash(hash) {
      const row = await db.selectFrom('share_link').selectAll().where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : toShareLink(row)
    },

    async listOfRepository(repositoryId) {
      const rows = await db
        .selectFrom('share_link')
        .selectAll()
        .where('repository_id', '=', repositoryId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toShareLink)
    },

    async countView(id) {
      await db
        .updateTable('share_link')
        .set({ view_count: sql`view_count + 1` })
        .where('id', '=', id)
        .execute()
    },

    async revoke(repositoryId, id) {
      const { numUpdatedRows } = await db
        .updateTable('share_link')
        .set({ revoked_at: Date.now(), sealed: null })
        .where('id', '=', id)
        .where('repository_id', '=', repositoryId)
        .where('revoked_at', 'is', null)
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
  }
}

function toShareLink(row: Selectable<ShareLinkTable>): ShareLink {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    createdBy: row.created_by,
    ref: row.ref,
    document: row.document,
    sealed: row.sealed,
    viewCount: row.view_count,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}
