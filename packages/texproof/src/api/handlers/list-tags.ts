import { sortByVersionDescending } from '../../domain/git/version-order.ts'
import { refuseMissing } from '../../git/missing-repository.ts'
import type { Ref } from '../../git/types.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { itemsOfPage, paginated, parsePage } from '../pagination.ts'
import { presentTag } from '../present/branch.ts'
import { rememberedJson } from '../present/remembered-json.ts'
import { getOpenRepository } from '../readable-repository.ts'

/**
 * `GET /repos/{owner}/{repo}/tags`: tags, newest version first.
 *
 * @throws ApiError 404 if the repository is missing or hidden from the caller.
 */
export async function listTags(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { repository } = await getOpenRepository(request, deps)
  const page = parsePage(request.query)
  const tags = inVersionOrder(await deps.git.listTags(repository.id))
  if (tags.length === 0) await refuseMissing(deps.git, repository.id)
  const url = deps.urls.repository(repository.owner.login, repository.name)
  const text = rememberedJson(tags, `tags ${page.number} ${page.size} ${url}`, () =>
    itemsOfPage(tags, page).map((tag) => presentTag(tag, url)),
  )
  return paginated(text, { page, total: tags.length, request, origin: deps.urls.base })
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
