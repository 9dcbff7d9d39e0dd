import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { User } from '../../../domain/types.ts'
import { findViewedRepository } from './find-viewed-repository.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { NotFound } from '../../session/errors.ts'
import { findSignedIn } from '../../session/find-caller.ts'
import { requireViewer } from '../../session/viewer.ts'

/**
 * The repository of the address for a page that changes its settings, and who changes them: the right and the deed are
 * of one and the same person, so a token that came along counts for nothing.
 *
 * @throws SignInNeeded, or NotFound for everybody but administrators of the repository.
 */
export async function requireAdministered(
  c: Context,
  deps: Deps,
): Promise<{ readonly repository: ViewedRepository; readonly actor: User }> {
  const repository = await findViewedRepository(c, deps, { caller: findSignedIn(c) })
  const { user: actor } = requireViewer(c)
  if (repository.permission !== 'admin') throw new NotFound()
  return { repository, actor }
}
