import { permissionOf } from '../../domain/access.ts'
import type { ApiDeps, ApiResponse, AuthenticatedApiRequest } from '../api-request.ts'
import { paginated, parsePage, windowOf } from '../pagination.ts'
import { rememberedJson } from '../present/remembered-json.ts'
import { presentRepository } from '../present/repository.ts'
import { parseMembershipFilter, parseRepositoryOrder } from '../repository-query.ts'

/**
 * `GET /user/repos`: repositories that the caller owns or collaborates on.
 *
 * @throws ApiError 422 if `type` is combined with `visibility` or `affiliation`.
 */
export async function listOwnRepositories(request: AuthenticatedApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { caller, query } = request
  const page = parsePage(query)
  const filter = parseMembershipFilter(query)
  const order = parseRepositoryOrder(query)
  const list = await deps.store.repositories.listOfMember(caller.user.id, { filter, order, window: windowOf(page) })
  const text = rememberedJson(list, `repositories of ${caller.user.id} ${deps.urls.base}`, () =>
    list.items.flatMap(({ repository, collaboration }) => {
      const permission = permissionOf(caller, repository, { collaboration })
      return permission === 'none' ? [] : [presentRepository(repository, deps.urls, permission)]
    }),
  )
  return paginated(text, { page, total: list.total, request, origin: deps.urls.base })
}
