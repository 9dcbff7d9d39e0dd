import type { Deps } from '../operations/deps.ts'
import type { Caller, Repository } from '../domain/types.ts'
import { authenticateToken } from '../accounts/tokens/authenticate-token.ts'
import { findOpenRepository } from '../operations/repository/find-readable-repository.ts'
import { findWritableRepository, type WriteRefusal } from '../operations/repository/find-writable-repository.ts'
import { findMovedRepository } from '../operations/repository/rename-repository.ts'
import { recordTokenRefusal, recordTokenUse } from '../accounts/tokens/record-token-use.ts'
import { HttpRefusal } from './http-refusal.ts'
import type { SmartHttpTarget } from './parse-target.ts'
import { readCredential } from '../domain/read-credential.ts'

/** A repository and the caller admitted to it. */
export interface Admission {
  readonly repository: Repository
  /** null = anonymous; never for a push. */
  readonly caller: Caller | null
}

type Address = Pick<SmartHttpTarget, 'owner' | 'name'>

const USE_A_TOKEN =
  'Authentication required. Use an access token as the password; any username works.\n' +
  'Create a token under Settings, Access tokens.'

const BAD_TOKEN = 'This access token is invalid or has expired.\nCreate a new one under Settings, Access tokens.'

/** One message for missing and for hidden repositories, so that it does not reveal which exist. */
const NOT_FOUND = 'Repository not found.'

/**
 * Access control of git over HTTP, applied to both requests of an exchange: the second cannot rely on the first.
 *
 * Anonymous callers get 401 for missing and for hidden repositories, so that git asks for a password.
 *
 * @throws HttpRefusal 401, 403 or 404.
 */
export async function authorize(
  deps: Pick<Deps, 'config' | 'store'>,
  target: Address & Pick<SmartHttpTarget, 'service'>,
  header: string | undefined,
): Promise<Admission> {
  const credential = readCredential(header)
  const caller = credential.kind === 'none' ? null : await authenticateToken(deps.store, credential.token)
  if (credential.kind === 'token' && caller === null) throw new HttpRefusal(401, BAD_TOKEN)
  if (caller === null && deps.config.isSignInRequired) throw new HttpRefusal(401, USE_A_TOKEN)
  const admission =
    target.service === 'upload-pack'
      ? await authorizeFetch(deps, target, caller)
      : await authorizePush(deps, target, caller)
  recordTokenUse(deps.store, caller, nameAction(target.service, admission.repository))
  return admission
}

/** Name of the action for messages: `git push alice/tides`. */
function nameAction(service: SmartHttpTarget['service'], { owner, name }: Repository): string {
  return `git ${service === 'upload-pack' ? 'fetch' : 'push'} ${owner.login}/${name}`
}

async function authorizeFetch(
  deps: Pick<Deps, 'config' | 'store'>,
  { owner, name }: Address,
  caller: Caller | null,
): Promise<Admission> {
  const { store } = deps
  const found = await findOpenRepository(store, { caller, owner, name })
  if (found !== null) return { repository: found.repository, caller }
  await refuseMoved(deps, { owner, name }, caller)
  throw caller === null ? new HttpRefusal(401, USE_A_TOKEN) : new HttpRefusal(404, NOT_FOUND)
}

async function authorizePush(
  deps: Pick<Deps, 'config' | 'store'>,
  { owner, name }: Address,
  caller: Caller | null,
): Promise<Admission> {
  const { store } = deps
  if (caller === null) throw new HttpRefusal(401, USE_A_TOKEN)
  const found = await findWritableRepository(store, { caller, owner, name })
  if (found.kind === 'ok') return { repository: found.repository, caller }
  if (found.kind === 'not-found') {
    await refuseMoved(deps, { owner, name }, caller)
    throw new HttpRefusal(404, NOT_FOUND)
  }
  const why = found.reason === 'missing-scope' ? 'needs repo:write' : `was refused: ${found.reason.replace('-', ' ')}`
  recordTokenRefusal(store, caller, `${nameAction('receive-pack', found.repository)} ${why}`)
  throw new HttpRefusal(403, describeRefusal(found.reason, found.repository))
}

/** Users with access to a renamed repository get its new name; a remote is never redirected silently. */
async function refuseMoved(
  { config, store }: Pick<Deps, 'config' | 'store'>,
  address: Address,
  caller: Caller | null,
): Promise<void> {
  const moved = await findMovedRepository(store, { caller, ...address })
  if (moved === null) return
  const name = `${moved.owner.login}/${moved.name}`
  const url = `${config.baseUrl}/${name}.git`
  throw new HttpRefusal(
    404,
    `${address.owner}/${address.name} was renamed to ${name}. Update the remote:\n  git remote set-url origin ${url}`,
  )
}

function describeRefusal(reason: WriteRefusal, { owner, name, mirrorUrl }: Repository): string {
  const repository = `${owner.login}/${name}`
  switch (reason) {
    case 'no-permission':
      return `You do not have write access to ${repository}. Ask its owner for access.`
    case 'missing-scope':
      return 'This token is read-only. Pushing requires the repo:write scope.'
    case 'archived':
      return `${repository} is archived (read-only). Its owner can unarchive it.`
    case 'mirror':
      return `${repository} is a mirror of ${mirrorUrl} and is read-only. Push there,\nor ask its owner to stop mirroring (Settings, Mirror).`
    case 'disabled':
      return `${repository} was disabled by an administrator, so pushes are rejected.\nIts owner can see the reason on the repository page.`
  }
}
