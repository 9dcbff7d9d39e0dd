import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { paginated, parsePage, listPageOf } from '../pagination.ts'
import { branchItemJson } from '../present/branch.ts'
import { getOpenRepository } from '../readable-repository.ts'

/**
 * `GET /repos/{owner}/{repo}/branches`: branches sorted by the bytes of their names.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller.
 */
export async function listBranches(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const page = parsePage(request.query)
  const branches = listPageOf(await deps.git.listBranches(repository.id), page)
  const items = branches.items.map((branch) => branchItemJson(branch, repository, deps.urls))
  return paginated(items, { page, total: branches.total, request, origin: deps.urls.base })
}
