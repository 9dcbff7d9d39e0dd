import { createRepository } from '../../operations/repository/create-repository.ts'
import { unprocessable } from '../api-error.ts'
import type { ApiDeps, ApiResponse, AuthenticatedApiRequest } from '../api-request.ts'
import { parseNewRepository, repositoryCreationFailed } from '../new-repository.ts'
import { repositoryJson } from '../present/repository.ts'
import { jsonText } from '../respond.ts'

/**
 * `POST /user/repos`: creates a repository of the caller.
 *
 * @throws ApiError 422 if a field is invalid or the caller has a repository of that name.
 */
export async function createOwnRepository(request: AuthenticatedApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { urls } = deps
  const owner = request.caller.user
  const wanted = parseNewRepository(request.body)
  const outcome = await createRepository(deps, {
    ...wanted,
    owner,
    authorEmail: urls.placeholderEmail,
    projectUrl: urls.repositoryPage(owner.login, wanted.name),
  })
  if (outcome.kind === 'name-taken') {
    const message = 'name already exists on this account'
    throw unprocessable(repositoryCreationFailed, [{ resource: 'Repository', field: 'name', code: 'custom', message }])
  }
  if (outcome.kind === 'over-quota') {
    const message = `repository quota of ${outcome.limit} is used up`
    throw unprocessable(repositoryCreationFailed, [{ resource: 'Repository', field: 'name', code: 'custom', message }])
  }
  const location = urls.repository(owner.login, outcome.repository.name)
  return jsonText(201, repositoryJson(outcome.repository, urls, 'admin'), ['Location', location])
}
