import type { Kysely, Selectable } from 'kysely'

import type { RepositoryInvitationTable, Schema } from '../schema.ts'

/** A link that makes one person a collaborator. Times are epoch milliseconds. */
export interface RepositoryInvitation {
  readonly id: number
  readonly repositoryId: number
  /** Id of the user who invites. */
  readonly createdBy: string
  /** Where the link was sent; null if it was not emailed. */
  readonly email: string | null
  readonly permission: 'pull' | 'push'
  readonly createdAt: number
  readonly expiresAt: number
}

/** The table of invitations to repositories. */
export interface RepositoryInvitations {
  /** `hash` is the SHA-256 of the text in the link, hex. */
  add(invitation: Omit<RepositoryInvitation, 'id' | 'createdAt'> & { readonly hash: string }): Promise<void>
  /** Null if there is none, or it has expired. */
  findByHash(hash: string): Promise<RepositoryInvitation | null>
  /** Invitations that can be accepted, newest first: not expired, and their creators still manage the repository. */
  listOfRepository(repositoryId: number): Promise<readonly RepositoryInvitation[]>
  /** False if the repository has no such invitation: it was used or revoked. */
  remove(repositoryId: number, id: number): Promise<boolean>
}

/** Creates the table of invitations of a database. */
export function createRepositoryInvitations(db: Kysely<Schema>): RepositoryInvitations {
  const open = () => db.selectFrom('repository_invitation').selectAll().where('expires_at', '>', Date.now())
  return {
    async add({ repositoryId, createdBy, hash, email, permission, expiresAt }) {
      await db
        .insertInto('repository_invitation')
        .values({
          repository_id: repositoryId,
          created_by: createdBy,
          hash,
          email,
          permission,
          created_at: Date.now(),
          expires_at: expiresAt,
        })
        .execute()
    },

    async findByHash(hash) {
      const row = await open().where('hash', '=', hash).executeTakeFirst()
      return row === undefined ? null : toInvitation(row)
    },

    async listOfRepository(repositoryId) {
      const rows = await open()
        .where('repository_id', '=', repositoryId)
        .where('created_by', 'in', selectManagers(db, repositoryId))
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toInvitation)
    },

    async remove(repositoryId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('repository_invitation')
        .where('id', '=', id)
        .where('repository_id', '=', repositoryId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** The owner and the administrators of a repository, except disabled users. */
function selectManagers(db: Kysely<Schema>, repositoryId: number) {
  const admins = db
    .selectFrom('collaborator')
    .select('user_id')
    .where('repository_id', '=', repositoryId)
    .where('permission', '=', 'admin')
  const owner = db.selectFrom('repository').select('owner_id').where('id', '=', repositoryId)
  return db
    .selectFrom('user')
    .select('id')
    .where('is_disabled', '=', 0)
    .where((is) => is.or([is('id', 'in', admins), is('id', 'in', owner)]))
}

function toInvitation(row: Selectable<RepositoryInvitationTable>): RepositoryInvitation {
  return {
    id: row.id,
    repositoryId: row.repository_id,
    createdBy: row.created_by,
    email: row.email,
    permission: row.permission,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  }
}
