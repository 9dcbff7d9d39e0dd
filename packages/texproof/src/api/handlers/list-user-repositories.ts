import { notFound } from '../api-error.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { paginated, parsePage, windowOf } from '../pagination.ts'
import { rememberedJson } from '../present/remembered-json.ts'
import { presentRepository } from '../present/repository.ts'
import { parseRepositoryOrder } from '../repository-query.ts'

/**
 * `GET /users/{username}/repos`: a user's public repositories, the same for every caller.
 *
 * @throws ApiError 404 if there is no such user.
 */
export async function listUserRepositories(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const user = await deps.store.users.findByLogin(request.params['username'] ?? '')
  if (user === null) throw notFound()
  const page = parsePage(request.query)
  const order = parseRepositoryOrder(request.query)
  const list = await deps.store.repositories.listPublic({ ownerId: user.id, order, window: windowOf(page) })
  const text = rememberedJson(list, `public repositories ${deps.urls.base}`, () =>
    list.items.map((repository) => presentRepository(repository, deps.urls, null)),
  )
  return paginated(text, { page, total: list.total, request, origin: deps.urls.base })
}
