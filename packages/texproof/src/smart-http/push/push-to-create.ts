/**
 * Creates a missing repository on push, if the host allows it: for its owner only, private, and not before the push has
 * sent its refs. Until then git sees an empty repository that does not exist. If no ref moves, the repository is removed,
 * so a failed push leaves nothing behind.
 */
import type { ServerResponse } from 'node:http'

import type { Deps } from '../../operations/deps.ts'
import { nameKey, parseRepositoryName } from '../../domain/names.ts'
import { readCredential } from '../../domain/read-credential.ts'
import type { Caller } from '../../domain/types.ts'
import { encodeEmptyAdvertisement } from '../../git/protocol/encode-empty-advertisement.ts'
import { authenticateToken } from '../../accounts/tokens/authenticate-token.ts'
import { createRepository } from '../../operations/repository/create-repository.ts'
import { removeUnpushed } from '../../operations/repository/delete-repository.ts'
import { findMovedRepository } from '../../operations/repository/rename-repository.ts'
import { HttpRefusal } from '../http-refusal.ts'
import type { SmartHttpTarget } from '../parse-target.ts'
import { NO_CACHE } from '../send-pack.ts'
import type { PushedRepository } from './types.ts'

/**
 * The user who may create the repository of this push; null if it is not a push, the repository exists, or another user
 * would own it: then the access check responds.
 *
 * @throws HttpRefusal if the user's own repository cannot be created: 403 for this token, 404 for this name.
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
  // A remote with the old name of a renamed repository must be updated: no repository is created.
  if ((await findMovedRepository(store, { caller, owner, name })) !== null) return null
  if (parseRepositoryName(name) === null)
    throw new HttpRefusal(
      404,
      'Invalid repository name: use letters, digits, ".", "-" and "_", at most 100, not ending in .wiki.',
    )
  if (!caller.scopes.includes('repo:write'))
    throw new HttpRefusal(403, 'This token can read but not write (needs repo:write).')
  return caller
}

/** Advertises an empty repository. */
export function serveEmptyAdvertisement(response: ServerResponse): void {
  response
    .writeHead(200, { 'content-type': 'application/x-git-receive-pack-advertisement', ...NO_CACHE })
    .end(encodeEmptyAdvertisement())
}

/** Creates the repository; of two simultaneous pushes the second uses the repository of the first. */
export async function createForPush(
  deps: Pick<Deps, 'config' | 'store' | 'git' | 'papers'>,
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
      removeUnpushed: () => removeUnpushed(deps, outcome.repository),
    }
  if (outcome.kind === 'over-quota')
    throw new HttpRefusal(403, `You have reached your limit of ${outcome.limit} repositories. See Settings, Usage.`)
  const repository = await deps.store.repositories.findByName(user.login, name)
  if (repository === null || repository.isArchived || repository.isDisabled)
    throw new HttpRefusal(404, 'Repository not found.')
  return { repository, news: [], removeUnpushed: async () => {} }
}
