import type { Kysely, Selectable } from 'kysely'

import type { Repository } from '../../domain/types.ts'
import type { RepositoryTable, Schema, UserTable } from '../schema.ts'
import { toUser } from '../users/user-rows.ts'

const ownerColumns = [
  'user.id as user_id',
  'user.login as user_login',
  'user.name as user_name',
  'user.bio as user_bio',
  'user.email as user_email',
  'user.avatar_id as user_avatar_id',
  'user.is_admin as user_is_admin',
  'user.is_disabled as user_is_disabled',
  'user.created_at as user_created_at',
  'user.updated_at as user_updated_at',
] as const

const repositoryColumns = [
  'repository.id',
  'repository.name',
  'repository.description',
  'repository.visibility',
  'repository.default_branch',
  'repository.is_archived',
  'repository.is_disabled',
  'repository.mirror_url',
  'repository.star_count',
  'repository.created_at',
  'repository.updated_at',
] as const

type OwnerRow = { [Column in keyof Selectable<UserTable> as `user_${Column}`]: Selectable<UserTable>[Column] }

type RepositoryRow = Pick<
  Selectable<RepositoryTable>,
  | 'id'
  | 'name'
  | 'description'
  | 'visibility'
  | 'default_branch'
  | 'is_archived'
  | 'is_disabled'
  | 'mirror_url'
  | 'star_count'
  | 'created_at'
  | 'updated_at'
> &
  Omit<OwnerRow, 'user_login_key' | 'user_email_key' | 'user_password_hash'>

/** A query for repositories with their owners; unfinished ones are excluded. */
export function selectRepositories(db: Kysely<Schema>) {
  return db
    .selectFrom('repository')
    .innerJoin('user', 'user.id', 'repository.owner_id')
    .select(repositoryColumns)
    .select(ownerColumns)
    .where('repository.state', '=', 'ready')
}

/** Converts a row to a repository. */
export function toRepository(row: RepositoryRow): Repository {
  return {
    id: row.id,
    owner: toUser({
      id: row.user_id,
      login: row.user_login,
      name: row.user_name,
      bio: row.user_bio,
      email: row.user_email,
      avatar_id: row.user_avatar_id,
      is_admin: row.user_is_admin,
      is_disabled: row.user_is_disabled,
      created_at: row.user_created_at,
      updated_at: row.user_updated_at,
    }),
    name: row.name,
    description: row.description,
    visibility: row.visibility,
    defaultBranch: row.default_branch,
    isArchived: row.is_archived === 1,
    isDisabled: row.is_disabled === 1,
    mirrorUrl: row.mirror_url,
    starCount: row.star_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
