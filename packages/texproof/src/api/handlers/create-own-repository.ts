import { createRepository } from '../../operations/repository/create-repository.ts'
import { unprocessable } from '../api-error.ts'
import type { ApiError, FieldError } from '../api-error.ts'
import type { ApiDeps, ApiResponse, AuthenticatedApiRequest } from '../api-request.ts'
import { parseNewRepository } from '../new-repository.ts'
import { repositoryJson } from '../present/repository.ts'
import { jsonText } from '../respond.ts'

const NAME_TAKEN = wrongName('name already exists on this account')

/**
 * `POST /user/repos`: creates a repository of the caller.
 *
 * @throws ApiError 422 naming every invalid field, among them a name that another repository of the caller has.
 */
export async function createOwnRepository(request: AuthenticatedApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { urls } = deps
  const owner = request.caller.user
  const wanted = parseNewRepository(request.body)
  if ('errors' in wanted) {
    const isTaken =
      wanted.name !== null && (await deps.store.repositories.findByName(owner.login, wanted.name)) !== null
    throw refused(...(isTaken ? [NAME_TAKEN] : []), ...wanted.errors)
  }
  const outcome = await createRepository(deps, {
    ...wanted,
    owner,
    authorEmail: urls.placeholderEmail,
    projectUrl: urls.repositoryPage(owner.login, wanted.name),
  })
  if (outcome.kind === 'name-taken') throw refused(NAME_TAKEN)
  if (outcome.kind === 'over-quota') throw refused(wrongName(`repository quota of ${outcome.limit} is used up`))
  const location = urls.repository(owner.login, outcome.repository.name)
  return jsonText(201, repositoryJson(outcome.repository, urls, 'admin'), ['Location', location])
}

function refused(...errors: readonly FieldError[]): ApiError {
  return unprocessable('Repository creation failed.', errors)
}

function wrongName(message: string): FieldError {
  return { resource: 'Repository', field: 'name', code: 'custom', message }
}
