import { sortByVersionDescending } from '../../domain/git/version-order.ts'
import type { Ref } from '../../git/types.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { paginated, parsePage, listPageOf } from '../pagination.ts'
import { tagJson } from '../present/branch.ts'
import { getOpenRepository } from '../readable-repository.ts'

/**
 * `GET /repos/{owner}/{repo}/tags`: tags, newest version first.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller.
 */
export async function listTags(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const page = parsePage(request.query)
  const tags = listPageOf(inVersionOrder(await deps.git.listTags(repository.id)), page)
  const items = tags.items.map((tag) => tagJson(tag, repository, deps.urls))
  return paginated(items, { page, total: tags.total, request, origin: deps.urls.base })
}

/** The git store returns the same array until a ref moves, so each state of a repository is sorted once. */
const sorted = new WeakMap<readonly Ref[], readonly Ref[]>()

function inVersionOrder(tags: readonly Ref[]): readonly Ref[] {
  const known = sorted.get(tags)
  if (known !== undefined) return known
  const ordered = sortByVersionDescending(tags)
  sorted.set(tags, ordered)
  return ordered
}
