import { findOpenRepository, findReadableRepository } from '../operations/repository/find-readable-repository.ts'
import type { AccessibleRepository } from '../operations/repository/find-readable-repository.ts'
import { notFound } from './api-error.ts'
import type { ApiDeps, ApiRequest } from './api-request.ts'

/**
 * The repository in the path of a request.
 *
 * @throws ApiError 404 if it is missing or hidden from the caller.
 */
export async function getReadableRepository(request: ApiRequest, deps: ApiDeps): Promise<AccessibleRepository> {
  const { owner = '', repo = '' } = request.params
  const found = await findReadableRepository(deps.store, { caller: request.caller, owner, name: repo })
  if (found === null) throw notFound()
  return found
}

/**
 * The same, for access to its content.
 *
 * @throws ApiError 404; this includes a disabled repository that the caller does not administer.
 */
export async function getOpenRepository(request: ApiRequest, deps: ApiDeps): Promise<AccessibleRepository> {
  const { owner = '', repo = '' } = request.params
  const found = await findOpenRepository(deps.store, { caller: request.caller, owner, name: repo })
  if (found === null) throw notFound()
  return found
}
