import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../deps.ts'
import { postNewRepository, showNewRepository } from './pages/new-repository.ts'
import { postStar } from './pages/star.ts'
import { postRepositorySettings, showRepositorySettings } from './pages/repository-settings.ts'

/** Making repositories and changing them. */
export function addRepositoryRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/new', (c: Context) => showNewRepository(c))
  app.post('/new', (c: Context) => postNewRepository(c, deps))
  app.post('/:owner/:repo/star', (c: Context) => postStar(c, deps))
  app.get('/:owner/:repo/settings', (c: Context) => showRepositorySettings(c, deps))
  app.post('/:owner/:repo/settings/:part{details|branch|archive|collaborators|delete}', (c: Context) =>
    postRepositorySettings(c, deps),
  )
}
