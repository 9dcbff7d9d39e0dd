import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { GrantedPermission } from '../../../domain/access.ts'
import type { Caller, Repository } from '../../../domain/types.ts'
import { findOpenRepository } from '../../../operations/repository/find-readable-repository.ts'
import type { MirrorState } from '../../../store/repositories/mirrors.ts'
import { findCaller } from '../../session/find-caller.ts'
import { findMovedRepository } from '../../../operations/repository/rename-repository.ts'
import { recordTokenUse } from '../../../accounts/tokens/record-token-use.ts'
import { NotFound } from '../../session/errors.ts'
import { viewerOf } from '../../session/viewer.ts'
import { repositoryPath } from '../../../domain/page-urls.ts'

/** A repository with the permissions of its viewer. */
export interface ViewedRepository extends Repository {
  readonly permission: GrantedPermission
  /** Whether the viewer has starred it; null = anonymous. */
  readonly isStarred: boolean | null
  /** Why an administrator of the host disabled it; null if it is enabled or without a reason. */
  readonly disabledReason: string | null
  /** Its fetches, if it is a mirror. */
  readonly mirror: MirrorState | null
}

/**
 * The repository of `/{owner}/{repo}/…` if the caller may see it; by default the caller of the request.
 *
 * @throws NotFound alike for a missing and a hidden repository, MovedRepository for one with a new name that the caller
 * may see, BadCredential for an invalid token.
 */
export async function findViewedRepository(
  c: Context,
  { store }: Pick<Deps, 'store'>,
  asked?: { readonly caller: Caller | null },
): Promise<ViewedRepository> {
  const { caller } = asked ?? { caller: await findCaller(c, store) }
  const found = await findOpenRepository(store, {
    caller,
    owner: c.req.param('owner') ?? '',
    name: c.req.param('repo') ?? '',
  })
  if (found === null) throw await explainAbsence(c, store, caller)
  recordTokenUse(store, caller, `pages of ${found.repository.owner.login}/${found.repository.name}`)
  const viewer = viewerOf(c)
  const isStarred = viewer === null ? null : await store.repositories.hasStar(found.repository.id, viewer.id)
  const details = found.repository.isDisabled ? await store.admin.findRepository(found.repository.id) : null
  const disabledReason = details?.disabledReason ?? null
  const mirror = found.repository.mirrorUrl === null ? null : await store.mirrors.find(found.repository.id)
  return { ...found.repository, permission: found.permission, isStarred, disabledReason, mirror }
}

async function explainAbsence(c: Context, store: Deps['store'], caller: Caller | null): Promise<Error> {
  const address = { owner: c.req.param('owner') ?? '', name: c.req.param('repo') ?? '' }
  const moved = await findMovedRepository(store, { caller, ...address })
  return moved === null ? new NotFound() : new MovedRepository(moved)
}

/**
 * The repository was renamed or transferred. The response redirects to the same page at its new address; for a form, it
 * names the address, which the user must see first.
 */
export class MovedRepository extends Error {
  override readonly name = 'MovedRepository'
  readonly repository: Repository

  constructor(repository: Repository) {
    super('moved')
    this.repository = repository
  }
}

/** The new address of a page; `pathAndQuery` is the requested one. */
export function movedAddress(pathAndQuery: string, repository: Repository): string {
  return repositoryPath(repository) + pathAndQuery.replace(/^\/[^/?]*\/[^/?]*/, '')
}
