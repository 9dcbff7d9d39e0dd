import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postRestore, showRestore } from './restore.ts'
import { postRevert, showRevert } from './revert.ts'

/** Returning to earlier versions without git. */
export function addRestoreRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/:owner/:repo/revert/:commitId', (c: Context) => showRevert(c, deps))
  app.post('/:owner/:repo/revert/:commitId', (c: Context) => postRevert(c, deps))
  app.get('/:owner/:repo/restore/:commitId/:path{[^]+}?', (c: Context) => showRestore(c, deps))
  app.post('/:owner/:repo/restore/:commitId/:path{[^]+}?', (c: Context) => postRestore(c, deps))
}
