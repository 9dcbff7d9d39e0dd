import type { Selectable } from 'kysely'

import type { User } from '../../domain/types.ts'
import type { UserTable } from '../schema.ts'

/** The columns of a `User`, for `select`. */
export const userColumns = [
  'user.id',
  'user.login',
  'user.name',
  'user.bio',
  'user.email',
  'user.avatar_id',
  'user.is_admin',
  'user.is_disabled',
  'user.created_at',
  'user.updated_at',
] as const

/** A row of these columns. */
export type UserRow = Pick<
  Selectable<UserTable>,
  'id' | 'login' | 'name' | 'bio' | 'email' | 'avatar_id' | 'is_admin' | 'is_disabled' | 'created_at' | 'updated_at'
>

/** Converts a row to a user. */
export function toUser(row: UserRow): User {
  return {
    id: row.id,
    login: row.login,
    name: row.name,
    bio: row.bio,
    email: row.email,
    avatarId: row.avatar_id,
    isAdmin: row.is_admin === 1,
    isDisabled: row.is_disabled === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
