import type { ApiDeps, ApiResponse, AuthenticatedApiRequest } from '../api-request.ts'
import { presentProfile } from '../present/user.ts'
import { json } from '../respond.ts'

/** `GET /user`: who the token belongs to. */
export async function getAuthenticatedUser(request: AuthenticatedApiRequest, deps: ApiDeps): Promise<ApiResponse> {
  const { user } = request.caller
  return json(200, presentProfile(user, deps.urls, await deps.store.repositories.countPublic(user.id)))
}
