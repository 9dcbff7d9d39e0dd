import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { viewerOf } from '../session/viewer.ts'
import { showDashboard } from './dashboard.ts'
import { showWelcome } from './welcome.ts'

/** `/`: the papers of whoever is signed in; what this is and how to begin, for everybody else. */
export function showHome(c: Context, deps: Deps): Promise<Response> {
  const viewer = viewerOf(c)
  return viewer === null ? showWelcome(c, deps) : showDashboard(c, deps, viewer)
}
