import { refuseMissing } from '../../git/missing-repository.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { itemsOfPage, paginated, parsePage } from '../pagination.ts'
import { presentBranchItem } from '../present/branch.ts'
import { rememberedJson } from '../present/remembered-json.ts'
import { getOpenRepository } from '../readable-repository.ts'

/**
 * `GET /repos/{owner}/{repo}/branches`: branches sorted by the bytes of their names.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller.
 */
export async function listBranches(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const page = parsePage(request.query)
  const branches = await deps.git.listBranches(repository.id)
  if (branches.length === 0) await refuseMissing(deps.git, repository.id)
  const url = deps.urls.repository(repository.owner.login, repository.name)
  const text = rememberedJson(branches, `branches ${page.number} ${page.size} ${url}`, () =>
    itemsOfPage(branches, page).map((branch) => presentBranchItem(branch, url)),
  )
  return paginated(text, { page, total: branches.length, request, origin: deps.urls.base })
}
