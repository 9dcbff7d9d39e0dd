import { refuseMissing } from '../../git/missing-repository.ts'
import { notFound } from '../api-error.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { branchJson } from '../present/branch.ts'
import { getOpenRepository } from '../readable-repository.ts'
import { jsonText } from '../respond.ts'

/**
 * `GET /repos/{owner}/{repo}/branches/{branch}`: one branch with its commit; the name may contain slashes.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller, or has no branch of exactly that name.
 */
export async function getBranch(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const branch = await deps.git.findBranch(repository.id, request.params['branch'] ?? '')
  if (branch === null) {
    await refuseMissing(deps.git, repository.id)
    throw notFound()
  }
  const commit = await deps.git.findCommit(repository.id, branch.commitId)
  if (commit === null) throw notFound()
  return jsonText(200, branchJson(branch, commit, { repository, urls: deps.urls }))
}
