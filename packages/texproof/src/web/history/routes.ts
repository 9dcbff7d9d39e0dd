import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { showBlame } from './blame.ts'
import { showCommit } from './commit.ts'
import { showCommits } from './commits.ts'
import { chooseComparison, showComparison } from './compare.ts'

/** Commits and their changes. */
export function addHistoryRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/:owner/:repo/blame/:rest{[^]+}', (c: Context) => showBlame(c, deps))
  app.get('/:owner/:repo/commits', (c: Context) => showCommits(c, deps))
  app.get('/:owner/:repo/commits/:rest{[^]+}', (c: Context) => showCommits(c, deps))
  app.get('/:owner/:repo/commit/:commitId', (c: Context) => showCommit(c, deps))
  app.get('/:owner/:repo/compare', (c: Context) => chooseComparison(c, deps))
  app.get('/:owner/:repo/compare/:range{[^]+}', (c: Context) => showComparison(c, deps))
}
