import type { Context } from 'hono'

import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import { NotFound, SignInNeeded } from './errors.ts'

/** The user who views a page, and the session. */
export interface Viewer {
  readonly user: User
  readonly session: Session
}

/** The signed-in user; null = anonymous. */
export function viewerOf(c: Context): User | null {
  return sessionOf(c)?.user ?? null
}

/** The viewer with the session; null = anonymous. Set by `readSession`. */
export function sessionOf(c: Context): Viewer | null {
  return (c.get('viewer') as Viewer | undefined) ?? null
}

/** @throws SignInNeeded */
export function requireViewer(c: Context): Viewer {
  const viewer = sessionOf(c)
  if (viewer === null) throw new SignInNeeded()
  return viewer
}

/**
 * Administration pages are hidden from other users.
 *
 * @throws NotFound
 */
export function requireAdmin(c: Context): Viewer {
  const viewer = sessionOf(c)
  if (viewer === null || !viewer.user.isAdmin) throw new NotFound()
  return viewer
}
