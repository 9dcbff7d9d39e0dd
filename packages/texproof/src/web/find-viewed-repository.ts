import type { Context } from 'hono'

import type { Deps } from '../deps.ts'
import { allScopes } from '../domain/scopes.ts'
import type { GrantedPermission } from '../domain/access.ts'
import type { Caller, Repository } from '../domain/types.ts'
import { authenticateToken } from '../operations/authenticate-token.ts'
import { findOpenRepository } from '../operations/find-readable-repository.ts'
import { readCredential } from '../domain/read-credential.ts'
import { BadCredential } from './bad-credential.ts'
import { NotFound } from './not-found.ts'
import { viewerOf } from './viewer.ts'

/** A repository as its page knows it: with what who looks may do there. */
export interface ViewedRepository extends Repository {
  readonly permission: GrantedPermission
  /** Whether who looks has starred it; null = nobody is signed in. */
  readonly isStarred: boolean | null
  /** Why an administrator of the host disabled it; null where nobody did, or said why. */
  readonly disabledReason: string | null
}

/**
 * The repository of `/{owner}/{repo}/…` if the caller may see it: by the session of the browser. Pages also take a
 * token in the `Authorization` header, as Bearer or as the password of Basic, so that scripts reach private PDFs with
 * curl.
 *
 * @throws NotFound alike for a missing and a hidden repository, BadCredential for a token that opens nothing.
 */
export async function findViewedRepository(c: Context, { store }: Pick<Deps, 'store'>): Promise<ViewedRepository> {
  const caller = await findCaller(c, store)
  const found = await findOpenRepository(store, {
    caller,
    owner: c.req.param('owner') ?? '',
    name: c.req.param('repo') ?? '',
  })
  if (found === null) throw new NotFound()
  const viewer = viewerOf(c)
  const isStarred = viewer === null ? null : await store.repositories.hasStar(found.repository.id, viewer.id)
  const overseen = found.repository.isDisabled ? await store.repositories.oversee(found.repository.id) : null
  const disabledReason = overseen?.disabledReason ?? null
  return { ...found.repository, permission: found.permission, isStarred, disabledReason }
}

async function findCaller(c: Context, store: Deps['store']): Promise<Caller | null> {
  const credential = readCredential(c.req.header('authorization'))
  if (credential.kind === 'none') {
    const user = viewerOf(c)
    return user === null ? null : { user, scopes: allScopes }
  }
  const caller = await authenticateToken(store, credential.token)
  if (caller === null) throw new BadCredential()
  return caller
}
