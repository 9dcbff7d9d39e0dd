import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { presentRepository } from '../present/repository.ts'
import { getReadableRepository } from '../readable-repository.ts'
import { json } from '../respond.ts'

/**
 * `GET /repos/{owner}/{repo}`: one repository, with the caller's permissions when there is a caller.
 *
 * @throws ApiError 404 when the repository is absent or hidden from the caller.
 */
export async function getRepository(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository, permission } = await getReadableRepository(request, deps)
  return json(200, presentRepository(repository, deps.urls, request.caller === null ? null : permission))
}
