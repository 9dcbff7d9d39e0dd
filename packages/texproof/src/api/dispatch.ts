/**
 * Handles every request in the order of the contract: credential, route, login, scope, body, handler. So an invalid
 * token is reported even on public routes, and no path reveals anything to anonymous callers.
 *
 * Source: contract §0, row 3.
 */
import type { IncomingMessage } from 'node:http'

import type { Caller } from '../domain/types.ts'
import { recordTokenRefusal, recordTokenUse } from '../accounts/tokens/record-token-use.ts'
import { authenticationRequired, notFound, scopeMissing } from './api-error.ts'
import type { ApiDeps, ApiRequest, ApiResponse } from './api-request.ts'
import { authenticate } from './authenticate.ts'
import { matchRoute } from './match-route.ts'
import { readMembers } from './read-body.ts'
import { belowBasePath, parseRequestTarget } from './request-target.ts'
import { generalDocumentation, toErrorResponse } from './respond.ts'
import type { LoginRoute, Route } from './routes.ts'

const noQuery = new URLSearchParams()
const noBody: ReadonlyMap<string, unknown> = new Map()

/** Responds to one request; never rejects. `onFault` is called for internal errors. */
export async function dispatch(
  request: IncomingMessage,
  deps: ApiDeps,
  onFault: (error: unknown) => void,
): Promise<ApiResponse> {
  let documentation = generalDocumentation
  try {
    const caller = await authenticate(request, deps.store)
    const target = parseRequestTarget(request.url ?? '')
    const match = matchRoute(request.method ?? '', belowBasePath(target.path))
    if (match === null) throw notFound()
    const { route, params } = match
    documentation = route.documentation
    // Its own question mark, because the parser drops the first one.
    const query = target.query === '' ? noQuery : new URLSearchParams(`?${target.query}`)
    const asked = { params, path: target.path, query, search: target.query }
    if (route.auth === 'required') return await dispatchLogin(request, { route, caller, asked, deps })
    // Anonymous callers get the same response for every path.
    if (caller === null && deps.isSignInRequired) throw notFound()
    recordTokenUse(deps.store, caller, nameRoute(route))
    return await route.handler({ ...asked, caller, body: noBody }, deps)
  } catch (error) {
    const response = toErrorResponse(error, documentation)
    if (response.status >= 500) onFault(error)
    return response
  }
}

async function dispatchLogin(
  request: IncomingMessage,
  options: {
    readonly route: LoginRoute
    readonly caller: Caller | null
    readonly asked: Pick<ApiRequest, 'params' | 'path' | 'query' | 'search'>
    readonly deps: ApiDeps
  },
): Promise<ApiResponse> {
  const { route, caller, asked, deps } = options
  if (caller === null) throw authenticationRequired()
  if (route.scope !== undefined && !caller.scopes.includes(route.scope)) {
    recordTokenRefusal(deps.store, caller, `${nameRoute(route)} needs ${route.scope}`)
    throw scopeMissing()
  }
  recordTokenUse(deps.store, caller, nameRoute(route))
  const reading = { parsers: deps.parsers, callerId: caller.user.id }
  const body = route.body === undefined ? noBody : await readMembers(request, route.body, reading)
  return route.handler({ ...asked, caller, body }, deps)
}

/** The route instead of the address: a token's last use is shown to its owner, and names of papers are private. */
function nameRoute({ method, path }: Route): string {
  return `${method} ${path}`
}
