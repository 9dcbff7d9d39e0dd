/** Turns errors thrown by pages into responses. */
import type { Context } from 'hono'

import { TooManyPasswordChecks } from '../../../accounts/password/password-checks.ts'
import type { Deps } from '../../../operations/deps.ts'
import { repositoryPath } from '../../../domain/page-urls.ts'
import { findStorageFailure } from '../../../base/storage-failure.ts'
import { DamagedObjectError } from '../../../git/objects/damaged-object.ts'
import { MissingRepositoryError } from '../../../git/missing-repository.ts'
import { DamagedRefError } from '../../../git/refs/damaged-ref.ts'
import { findStoreBusy, isStoreOut } from '../../../store/sqlite/store-errors.ts'
import { BucketUnavailable } from '../../../bucket/open-bucket.ts'
import { ClientDisconnected } from '../../../base/client-signal.ts'
import { TooManyWaiting } from '../../../base/limiter.ts'
import {
  TooManyRequests,
  BadCredential,
  NotFound,
  ForeignForm,
  FormTooLarge,
  SignInNeeded,
} from '../../session/errors.ts'
import { findViewedRepository } from '../repository/find-viewed-repository.ts'
import { MovedRepository, movedAddress } from '../repository/find-viewed-repository.ts'
import {
  showBadCredential,
  showSignInBusy,
  showRepositoryBusy,
  showInternalError,
  showMovedRepository,
  showForeignForm,
  showFormTooLarge,
  showNotFound,
  showStorageFailure,
  showBucketUnavailable,
  showStoreBusy,
  showStoreOut,
  showTooManyRequests,
} from './error-pages.ts'
import { keepTypedText } from './keep-typed-text.ts'
import { suggestInstead } from './suggest-instead.ts'

/** Status for the log only; introduced by nginx. */
const CLIENT_CLOSED_REQUEST = 499

/** The page or redirect for an error; unexpected errors are logged, and the page shows no details. */
export async function answerError(
  error: Error,
  c: Context,
  deps: Pick<Deps, 'config' | 'git' | 'log' | 'parsers' | 'store'> & { readonly requestId: string },
): Promise<Response> {
  const failure = findStorageFailure(error)
  if (failure !== null) deps.log.error({ err: error, request_id: deps.requestId, path: pathForLog(c) }, 'disk')
  const kept = await keepTypedText(c, error, deps)
  if (kept !== null) return kept
  if (error instanceof NotFound) return answerAbsence(error, c, deps)
  if (error instanceof MovedRepository) return answerMove(error, c)
  if (error instanceof SignInNeeded) return c.redirect(`/login?next=${encodeURIComponent(pathWithQuery(c))}`, 303)
  if (error instanceof ForeignForm) return showForeignForm(c, error)
  if (error instanceof FormTooLarge) return showFormTooLarge(c, error)
  if (error instanceof TooManyPasswordChecks) return showSignInBusy(c)
  if (error instanceof BadCredential) return showBadCredential(c)
  if (error instanceof ClientDisconnected) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
  if (error instanceof TooManyRequests) return showTooManyRequests(c, error)
  if (error instanceof TooManyWaiting) return showRepositoryBusy(c)
  if (isStoreOut(error)) return showStoreOut(c)
  if (findStoreBusy(error) !== null) return showStoreBusy(c)
  if (failure !== null) return showStorageFailure(c, failure)
  if (error instanceof BucketUnavailable) {
    deps.log.warn({ err: error, request_id: deps.requestId, path: pathForLog(c) }, 'bucket')
    return showBucketUnavailable(c)
  }
  const { config, log, requestId } = deps
  log.error({ err: error, request_id: requestId, path: pathForLog(c) }, 'web page')
  const isDamage =
    error instanceof DamagedObjectError || error instanceof DamagedRefError || error instanceof MissingRepositoryError
  return (
    (await keepTypedText(c, error, deps, requestId)) ??
    showInternalError(c, { requestId, contact: config.contact, damage: isDamage ? error : null })
  )
}

async function answerMove({ repository }: MovedRepository, c: Context): Promise<Response> {
  const isReading = c.req.method === 'GET' || c.req.method === 'HEAD'
  return isReading ? c.redirect(movedAddress(pathWithQuery(c), repository), 301) : showMovedRepository(c, repository)
}

/** Users who may see the repository get a reason and suggestions. */
async function answerAbsence(
  { reason, title }: NotFound,
  c: Context,
  { git, store }: Pick<Deps, 'git' | 'store'>,
): Promise<Response> {
  if (reason === null || c.req.param('owner') === undefined || c.req.param('repo') === undefined)
    return showNotFound(c, { reason })
  const repository = await findViewedRepository(c, { store })
  return showNotFound(c, {
    ...(title === null ? {} : { title }),
    reason,
    suggestions: title === null ? await suggestInstead(c.req.path, { repository, git }) : [],
    repository: { label: `${repository.owner.login}/${repository.name}`, href: repositoryPath(repository) },
  })
}

function pathWithQuery(c: Context): string {
  const { pathname, search } = new URL(c.req.url)
  return pathname + search
}

/** The path of a request for the log, without the secret of a share link or an invitation. */
export function pathForLog({ req }: Context): string {
  return req.path.replace(/^(\/(?:s|%73|settings\/invitations)\/)[^/]+/i, '$1…')
}
