import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { viewerOf } from '../session/viewer.ts'
import { showDashboard } from './dashboard.ts'
import { showProfile } from './profile.ts'
import { showWelcome } from './welcome.ts'

/** The start page, and the pages of users, whose addresses match every path of one part. */
export function addHomeRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/', (c: Context) => {
    const viewer = viewerOf(c)
    return viewer === null ? showWelcome(c, deps) : showDashboard(c, deps, viewer)
  })
  app.get('/:owner', (c: Context) => showProfile(c, deps))
}
