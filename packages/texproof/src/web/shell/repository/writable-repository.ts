import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { User } from '../../../domain/types.ts'
import { findViewedRepository } from './find-viewed-repository.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { NotFound } from '../../session/errors.ts'
import { findSignedIn } from '../../session/find-caller.ts'
import { requireViewer, viewerOf } from '../../session/viewer.ts'

/** Whether who looks may change branches here: signed in, with the right, and the repository is not at rest. */
export function mayWrite(c: Context, { permission, isArchived, isDisabled }: ViewedRepository): boolean {
  return viewerOf(c) !== null && permission !== 'pull' && !isArchived && !isDisabled
}

/**
 * The repository of the address for a page that changes its branches, and who changes them.
 *
 * @throws SignInNeeded, or NotFound for whoever may read only, and while the repository is archived or disabled.
 */
export async function requireWritable(
  c: Context,
  deps: Deps,
): Promise<{ readonly repository: ViewedRepository; readonly actor: User }> {
  const repository = await findViewedRepository(c, deps, { caller: findSignedIn(c) })
  const { user: actor } = requireViewer(c)
  const { owner, name, permission } = repository
  if (permission === 'pull')
    throw new NotFound(`You may read ${owner.login}/${name} but not change it. Ask ${owner.login} for write access.`)
  if (!mayWrite(c, repository))
    throw new NotFound(`This repository is ${repository.isDisabled ? 'disabled' : 'archived'}: nothing in it changes.`)
  return { repository, actor }
}
