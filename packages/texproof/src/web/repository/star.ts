import type { Context } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { repositoryPath } from '../../domain/page-urls.ts'
import { findViewedRepository } from '../shell/repository/find-viewed-repository.ts'
import { readField } from '../session/form.ts'
import { previousPath } from '../session/previous-path.ts'
import { requireViewer } from '../session/viewer.ts'

/** `POST /{owner}/{repo}/star`: adds or removes the star, and redirects to the page of the repository it was sent from. */
export async function postStar(c: Context, deps: Deps): Promise<Response> {
  const repository = await findViewedRepository(c, deps)
  const { user } = requireViewer(c)
  const { repositories } = deps.store
  if (readField(c, 'star') === 'yes') await repositories.addStar(repository.id, user.id)
  else await repositories.removeStar(repository.id, user.id)
  const [path, from] = [repositoryPath(repository), previousPath(c)]
  return c.redirect(from.startsWith(`${path}/`) ? from : path, 303)
}
