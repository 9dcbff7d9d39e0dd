import { sql } from 'kysely'
import type { Kysely, Selectable } from 'kysely'

import type { Schema, ShareLinkTable } from '../schema.ts'
import { transact } from '../transact.ts'

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

/** Share links of a repository that may be active: neither revoked nor expired. */
export const MAX_ACTIVE_LINKS = 100

/** The table of share links. */
export interface ShareLinks {
  /** Null if the repository has `MAX_ACTIVE_LINKS` already. */
  add(link: NewShareLink): Promise<ShareLink | null>
  /**
   * Revokes a link and adds one with the same ref, document and expiry. Null if the repository has no such link, or it
   * is revoked already.
   */
  replace(
    id: number,
    link: Pick<NewShareLink, 'repositoryId' | 'createdBy' | 'hash' | 'sealed'>,
  ): Promise<ShareLink | null>
  /** The caller checks whether it is still valid. */
  findByHash(hash: string): Promise<ShareLink | null>
  /** Newest first, including revoked and expired links. */
  listOfRepository(repositoryId: number): Promise<readonly ShareLink[]>
  countView(id: number): Promise<void>
  /** Revokes it permanently; false if the repository has no such link. */
  revoke(repositoryId: number, id: number): Promise<boolean>
  /** Revokes the links to these refs that were created until `until` (epoch milliseconds), and returns their ids. */
  revokeOfRefs(
    repositoryId: number,
    refs: readonly string[],
    options: { readonly until: number },
  ): Promise<readonly number[]>
}

/** Creates the table of share links of a database. */
export function createShareLinks(db: Kysely<Schema>): ShareLinks {
  return {
    add: (link) =>
      transact(db, async (transaction) => {
        const { repositoryId } = link
        await transaction
          .selectFrom('repository')
          .select('id')
          .where('id', '=', repositoryId)
          .forNoKeyUpdate()
          .execute()
        if ((await countActive(transaction, repositoryId)) >= MAX_ACTIVE_LINKS) return null
        return insert(transaction, link)
      }),

    replace: (id, { repositoryId, ...link }) =>
      transact(db, async (transaction) => {
        const old = await revoke(transaction, { repositoryId, id })
        if (old === null) return null
        const { ref, document, expiresAt } = old
        return insert(transaction, { ...link, repositoryId, ref, document, expiresAt })
      }),

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

    revoke: async (repositoryId, id) => (await revoke(db, { repositoryId, id })) !== null,

    async revokeOfRefs(repositoryId, refs, { until }) {
      if (refs.length === 0) return []
      const rows = await revoking(db, repositoryId)
        .where('ref', 'in', refs)
        .where('created_at', '<=', until)
        .returning('id')
        .execute()
      return rows.map(({ id }) => id).toSorted((left, right) => left - right)
    },
  }
}

async function countActive(db: Kysely<Schema>, repositoryId: number): Promise<number> {
  const { count } = await db
    .selectFrom('share_link')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('repository_id', '=', repositoryId)
    .where('revoked_at', 'is', null)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', Date.now())]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function insert(
  db: Kysely<Schema>,
  { repositoryId, createdBy, hash, sealed, ref, document, expiresAt }: NewShareLink,
): Promise<ShareLink> {
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
}

/** The link that was revoked; null if the repository has no such link, or it is revoked already. */
async function revoke(
  db: Kysely<Schema>,
  { repositoryId, id }: { readonly repositoryId: number; readonly id: number },
): Promise<ShareLink | null> {
  const row = await revoking(db, repositoryId).where('id', '=', id).returningAll().executeTakeFirst()
  return row === undefined ? null : toShareLink(row)
}

function revoking(db: Kysely<Schema>, repositoryId: number) {
  return db
    .updateTable('share_link')
    .set({ revoked_at: Date.now(), sealed: null })
    .where('repository_id', '=', repositoryId)
    .where('revoked_at', 'is', null)
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
