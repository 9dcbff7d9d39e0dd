import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { User } from '../../../domain/types.ts'
import { findViewedRepository } from './find-viewed-repository.ts'
import type { ViewedRepository } from './find-viewed-repository.ts'
import { NotFound } from '../../session/errors.ts'
import { findSignedIn } from '../../session/find-caller.ts'
import { requireViewer, viewerOf } from '../../session/viewer.ts'

/** The repository of an address, and the user who changes it. */
export interface ActorOnRepository {
  readonly repository: ViewedRepository
  readonly actor: User
}

/**
 * Whether the viewer may change branches: signed in, with write access, to a repository that is not archived, disabled or
 * a mirror.
 */
export function mayWrite(c: Context, repository: ViewedRepository): boolean {
  const { permission, isArchived, isDisabled, mirrorUrl } = repository
  return viewerOf(c) !== null && permission !== 'pull' && !isArchived && !isDisabled && mirrorUrl === null
}

/**
 * Finds the repository for a page that changes its branches.
 *
 * @throws SignInNeeded, or NotFound without write access, and while the repository is archived, disabled or a mirror.
 */
export async function requireWritable(c: Context, deps: Deps): Promise<ActorOnRepository> {
  const found = await findForActor(c, deps)
  const { owner, name, permission } = found.repository
  if (permission === 'pull')
    throw new NotFound(`You can read ${owner.login}/${name} but not change it. Ask ${owner.login} for write access.`)
  if (!mayWrite(c, found.repository)) throw readOnly(found.repository)
  return found
}

/** The scripts of the editor expect 404. */
function readOnly({ isDisabled, isArchived }: ViewedRepository): NotFound {
  if (isDisabled)
    return new NotFound('This repository is disabled and cannot be changed.', { title: 'Repository disabled' })
  if (isArchived)
    return new NotFound('This repository is archived and read-only. Its owner can unarchive it.', {
      title: 'Repository archived',
    })
  return new NotFound('This repository is a mirror and cannot be changed.', { title: 'Mirror' })
}

/**
 * Finds the repository for a page that changes its settings.
 *
 * @throws SignInNeeded, or NotFound for everyone but its administrators.
 */
export async function requireAdministered(c: Context, deps: Deps): Promise<ActorOnRepository> {
  const found = await findForActor(c, deps)
  if (found.repository.permission !== 'admin') throw new NotFound()
  return found
}

/** Permission and actor come from the session; a token is ignored. */
async function findForActor(c: Context, deps: Deps): Promise<ActorOnRepository> {
  const repository = await findViewedRepository(c, deps, { caller: findSignedIn(c) })
  return { repository, actor: requireViewer(c).user }
}
