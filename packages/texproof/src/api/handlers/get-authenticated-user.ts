import type { ApiDeps, ApiResponse, AuthenticatedApiRequest } from '../api-request.ts'
import { presentProfile } from '../present/user.ts'
import { json } from '../respond.ts'

/** `GET /user`: the owner of the token. */
export async function getAuthenticatedUser(request: AuthenticatedApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { user } = request.caller
  return json(200, presentProfile(user, deps.urls, await deps.store.repositories.countPublic(user.id)))
}
