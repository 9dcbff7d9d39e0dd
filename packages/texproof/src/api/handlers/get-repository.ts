import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { repositoryJson } from '../present/repository.ts'
import { getReadableRepository } from '../readable-repository.ts'
import { jsonText } from '../respond.ts'

/**
 * `GET /repos/{owner}/{repo}`: one repository, with the permissions of an authenticated caller.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller.
 */
export async function getRepository(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository, permission } = await getReadableRepository(request, deps)
  return jsonText(200, repositoryJson(repository, deps.urls, request.caller === null ? null : permission))
}
