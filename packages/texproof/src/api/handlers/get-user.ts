import { notFound } from '../api-error.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from '../api-request.ts'
import { presentProfile } from '../present/user.ts'
import { json } from '../respond.ts'

/**
 * `GET /users/{username}`: a public profile; the name is case-insensitive.
 *
 * @throws ApiError 404 if there is no such user.
 */
export async function getUser(request: ApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const user = await deps.store.users.findByLogin(request.params['username'] ?? '')
  if (user === null) throw notFound()
  return json(200, presentProfile(user, deps.urls, await deps.store.repositories.countPublic(user.id)))
}
