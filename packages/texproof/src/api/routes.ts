/**
 * The API, one row for each endpoint. A row defines who may call it and what is read before the handler runs, so access
 * can be audited here. `{+name}` matches the rest of the path, including slashes.
 *
 * Source: REST specification §4.
 */
import type { Scope } from '../domain/types.ts'
import type { ApiDeps, ApiRequest, ApiResponse, AuthenticatedApiRequest } from './api-request.ts'
import { createOwnRepository } from './handlers/create-own-repository.ts'
import { getAuthenticatedUser } from './handlers/get-authenticated-user.ts'
import { getBranch } from './handlers/get-branch.ts'
import { getRepository } from './handlers/get-repository.ts'
import { getUser } from './handlers/get-user.ts'
import { listBranches } from './handlers/list-branches.ts'
import { listOwnRepositories } from './handlers/list-own-repositories.ts'
import { listTags } from './handlers/list-tags.ts'
import { listUserRepositories } from './handlers/list-user-repositories.ts'
import { newRepositoryMembers } from './new-repository.ts'

interface RouteBase {
  readonly method: 'GET' | 'POST'
  /** Below `/api/v3`. */
  readonly path: string
  /** Page of the GitHub API reference for errors. */
  readonly documentation: string
}

/** Admits anonymous callers. */
export interface OpenRoute extends RouteBase {
  readonly auth: 'optional'
  readonly handler: (request: ApiRequest, deps: ApiDeps) => Promise<ApiResponse>
}

/** Requires a token, with the scope if one is named. */
export interface LoginRoute extends RouteBase {
  readonly auth: 'required'
  readonly scope?: Scope
  /** Members of the JSON object in the body that the handler reads. @default it reads no body */
  readonly body?: readonly string[]
  readonly handler: (request: AuthenticatedApiRequest, deps: ApiDeps) => Promise<ApiResponse>
}

/** A row of the table. */
export type Route = OpenRoute | LoginRoute

const reference = 'https://docs.github.com/rest'

/** All endpoints; every other path is 404. */
export const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/user',
    auth: 'required',
    handler: getAuthenticatedUser,
    documentation: `${reference}/users/users#get-the-authenticated-user`,
  },
  {
    method: 'GET',
    path: '/users/{username}',
    auth: 'optional',
    handler: getUser,
    documentation: `${reference}/users/users#get-a-user`,
  },
  {
    method: 'GET',
    path: '/user/repos',
    auth: 'required',
    handler: listOwnRepositories,
    documentation: `${reference}/repos/repos#list-repositories-for-the-authenticated-user`,
  },
  {
    method: 'POST',
    path: '/user/repos',
    auth: 'required',
    scope: 'repo:write',
    body: newRepositoryMembers,
    handler: createOwnRepository,
    documentation: `${reference}/repos/repos#create-a-repository-for-the-authenticated-user`,
  },
  {
    method: 'GET',
    path: '/users/{username}/repos',
    auth: 'optional',
    handler: listUserRepositories,
    documentation: `${reference}/repos/repos#list-repositories-for-a-user`,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}',
    auth: 'optional',
    handler: getRepository,
    documentation: `${reference}/repos/repos#get-a-repository`,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches',
    auth: 'optional',
    handler: listBranches,
    documentation: `${reference}/branches/branches#list-branches`,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/branches/{+branch}',
    auth: 'optional',
    handler: getBranch,
    documentation: `${reference}/branches/branches#get-a-branch`,
  },
  {
    method: 'GET',
    path: '/repos/{owner}/{repo}/tags',
    auth: 'optional',
    handler: listTags,
    documentation: `${reference}/repos/repos#list-repository-tags`,
  },
]
