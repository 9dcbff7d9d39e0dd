import type { Context } from 'hono'

import type { User } from '../../domain/types.ts'
import type { Session } from '../../store/users/sessions.ts'
import { NotFound, SignInNeeded } from './errors.ts'

/** Who looks at a page, and by which session. */
export interface Viewer {
  readonly user: User
  readonly session: Session
}

/** Who is signed in; null = nobody. */
export function viewerOf(c: Context): User | null {
  return sessionOf(c)?.user ?? null
}

/** The viewer with the session; null = nobody is signed in. Set by `readSession`. */
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
 * Administration does not exist for others.
 *
 * @throws NotFound
 */
export function requireAdmin(c: Context): Viewer {
  const viewer = sessionOf(c)
  if (viewer === null || !viewer.user.isAdmin) throw new NotFound()
  return viewer
}
