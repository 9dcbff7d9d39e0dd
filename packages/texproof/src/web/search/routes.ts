import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { showFileFinder } from './find-file.ts'
import { showRepositorySearch } from './repository-search.ts'
import { showSearch } from './search.ts'

/** Search across the host and within a repository. */
export function addSearchRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/search', (c: Context) => showSearch(c, deps))
  app.get('/:owner/:repo/search', (c: Context) => showRepositorySearch(c, deps))
  app.get('/:owner/:repo/find/:rest{[^]+}', (c: Context) => showFileFinder(c, deps))
}
