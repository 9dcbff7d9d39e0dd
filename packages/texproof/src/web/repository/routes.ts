import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postDeleteBranch, postRestoreBranch, showDeleteBranch } from './delete-branch.ts'
import { showBranches } from './branches.ts'
import { showTags } from './tags.ts'
import { postTemplate } from './post-template.ts'
import { postNewBranch, showNewBranch } from './new-branch.ts'
import { postNewTag, showNewTag } from './new-tag.ts'
import { postNewRepository, showNewRepository } from './new-repository.ts'
import { postStar } from './star.ts'
import { postVisibility, showVisibility } from './repository-visibility.ts'
import { postRepositorySettings, showRepositorySettings } from './repository-settings.ts'
import { postTrash, showTrash } from './trash.ts'

/** Repositories, their branches, tags and settings. */
export function addRepositoryRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/new', (c: Context) => showNewRepository(c, deps))
  app.post('/new', (c: Context) => postNewRepository(c, deps))
  app.post('/:owner/:repo/star', (c: Context) => postStar(c, deps))
  app.get('/settings/trash', (c: Context) => showTrash(c, deps))
  app.post('/settings/trash', (c: Context) => postTrash(c, deps))
  app.get('/:owner/:repo/branches', (c: Context) => showBranches(c, deps))
  app.get('/:owner/:repo/tags', (c: Context) => showTags(c, deps))
  app.get('/:owner/:repo/tags/new', (c: Context) => showNewTag(c, deps))
  app.post('/:owner/:repo/tags/new', (c: Context) => postNewTag(c, deps))
  app.post('/:owner/:repo/begin', (c: Context) => postTemplate(c, deps))
  app.get('/:owner/:repo/branches/new', (c: Context) => showNewBranch(c, deps))
  app.post('/:owner/:repo/branches/new', (c: Context) => postNewBranch(c, deps))
  app.get('/:owner/:repo/branches/delete/:rest{[^]+}', (c: Context) => showDeleteBranch(c, deps))
  app.post('/:owner/:repo/branches/delete/:rest{[^]+}', (c: Context) => postDeleteBranch(c, deps))
  app.post('/:owner/:repo/branches/restore', (c: Context) => postRestoreBranch(c, deps))
  app.get('/:owner/:repo/settings/visibility', (c: Context) => showVisibility(c, deps))
  app.post('/:owner/:repo/settings/visibility', (c: Context) => postVisibility(c, deps))
  app.get('/:owner/:repo/settings', (c: Context) => showRepositorySettings(c, deps))
  app.post(
    '/:owner/:repo/settings/:part{(?:details|name|branch|template|archive|collaborators|delete)}',
    (c: Context) => postRepositorySettings(c, deps),
  )
}
