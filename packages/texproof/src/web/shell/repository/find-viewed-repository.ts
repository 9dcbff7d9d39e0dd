import type { Context } from 'hono'

import type { Deps } from '../../../operations/deps.ts'
import type { GrantedPermission } from '../../../domain/access.ts'
import type { Caller, Repository } from '../../../domain/types.ts'
import { findOpenRepository } from '../../../operations/repository/find-readable-repository.ts'
import { findCaller } from '../../session/find-caller.ts'
import { findMovedRepository } from '../../../operations/repository/rename-repository.ts'
import { recordTokenUse } from '../../../accounts/tokens/record-token-use.ts'
import { NotFound } from '../../session/errors.ts'
import { viewerOf } from '../../session/viewer.ts'
import { repositoryPath } from '../../../domain/page-urls.ts'

/** A repository as its page knows it: with what who looks may do there. */
export interface ViewedRepository extends Repository {
  readonly permission: GrantedPermission
  /** Whether who looks has starred it; null = nobody is signed in. */
  readonly isStarred: boolean | null
  /** Why an administrator of the host disabled it; null where nobody did, or said why. */
  readonly disabledReason: string | null
}

/**
 * The repository of `/{owner}/{repo}/…` if the caller may see it; the caller is who asks for the page unless given.
 *
 * @throws NotFound alike for a missing and a hidden repository, MovedRepository for one that the caller may see under
 * another name by now, BadCredential for a token that opens nothing.
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
  return { ...found.repository, permission: found.permission, isStarred, disabledReason }
}

/** A form is never sent on to another address: whoever fills it in must see where it goes. */
async function explainAbsence(c: Context, store: Deps['store'], caller: Caller | null): Promise<Error> {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return new NotFound()
  const address = { owner: c.req.param('owner') ?? '', name: c.req.param('repo') ?? '' }
  const moved = await findMovedRepository(store, { caller, ...address })
  return moved === null ? new NotFound() : new MovedRepository(moved)
}

/** The repository of the address is called otherwise by now: the answer is the same page under its new address. */
export class MovedRepository extends Error {
  override readonly name = 'MovedRepository'
  readonly repository: Repository

  constructor(repository: Repository) {
    super('moved')
    this.repository = repository
  }
}

/** The address that a page has now; `pathAndQuery` is the one that was asked for. */
export function movedAddress(pathAndQuery: string, repository: Repository): string {
  return repositoryPath(repository) + pathAndQuery.replace(/^\/[^/?]*\/[^/?]*/, '')
}
