/**
 * A push to a repository that is not there makes it, where the host allows it: in the pusher's own name only, private,
 * and no sooner than the push says what it brings. Until then git sees an empty repository that does not exist, so
 * that an abandoned push leaves nothing behind.
 */
import type { ServerResponse } from 'node:http'

import type { Deps } from '../operations/deps.ts'
import { nameKey, parseRepositoryName } from '../domain/names.ts'
import { readCredential } from '../domain/read-credential.ts'
import type { Caller, Repository } from '../domain/types.ts'
import { encodeEmptyAdvertisement } from '../git/protocol/encode-empty-advertisement.ts'
import { authenticateToken } from '../accounts/tokens/authenticate-token.ts'
import { createRepository } from '../operations/repository/create-repository.ts'
import { findMovedRepository } from '../operations/repository/rename-repository.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { SmartHttpTarget } from './parse-target.ts'
import { NO_CACHE } from './send-pack.ts'

/** The repository that a push goes to, and what its pusher is told of it first. */
export interface PushedRepository {
  readonly repository: Repository
  readonly news: readonly string[]
}

/**
 * Who may make the repository of this push; null when the push is none, or the repository is there, or it is not theirs
 * to make: the guard then says what it always says.
 *
 * @throws HttpRefusal for an own repository that cannot be made: 403 by this token, 404 under this name.
 */
export async function findCreator(
  { config, store }: Pick<Deps, 'config' | 'store'>,
  { owner, name, service }: SmartHttpTarget,
  header: string | undefined,
): Promise<Caller | null> {
  if (!config.isPushToCreate || service !== 'receive-pack') return null
  const credential = readCredential(header)
  const caller = credential.kind === 'none' ? null : await authenticateToken(store, credential.token)
  if (caller === null || nameKey(caller.user.login) !== nameKey(owner)) return null
  if ((await store.repositories.findByName(owner, name)) !== null) return null
  // A remote that names what a repository was called before is to be changed, not to make another one.
  if ((await findMovedRepository(store, { caller, owner, name })) !== null) return null
  if (parseRepositoryName(name) === null)
    throw new HttpRefusal(
      404,
      'A repository cannot be made under this name: letters, digits, ".", "-" and "_", at most 100, not ending in .wiki.',
    )
  if (!caller.scopes.includes('repo:write'))
    throw new HttpRefusal(403, 'This token can read but not write (needs repo:write).')
  return caller
}

/** Shows an empty repository. */
export function serveEmptyAdvertisement(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'application/x-git-receive-pack-advertisement', ...NO_CACHE })
    .end(encodeEmptyAdvertisement())
}

/** Makes the repository; of two pushes at once the second finds the one that the first has made. */
export async function createForPush(
  deps: Pick<Deps, 'config' | 'store' | 'git'>,
  { user }: Caller,
  { name }: SmartHttpTarget,
): Promise<PushedRepository> {
  const { baseUrl } = deps.config
  const outcome = await createRepository(deps, {
    owner: user,
    name,
    description: null,
    visibility: 'private',
    firstCommit: null,
    authorEmail: `noreply@${new URL(baseUrl).hostname}`,
    projectUrl: `${baseUrl}/${user.login}/${name}`,
  })
  if (outcome.kind === 'created')
    return {
      repository: outcome.repository,
      news: [`Created private repository ${user.login}/${name} (push-to-create).`],
    }
  if (outcome.kind === 'over-quota')
    throw new HttpRefusal(403, `You own ${outcome.limit} repositories, as many as you may: see Settings, Usage.`)
  const repository = await deps.store.repositories.findByName(user.login, name)
  if (repository === null || repository.isArchived || repository.isDisabled)
    throw new HttpRefusal(404, 'Repository not found.')
  return { repository, news: [] }
}
