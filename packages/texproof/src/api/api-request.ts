import type { Logger } from 'pino'

import type { Config } from '../config/read-config.ts'
import type { Caller } from '../domain/types.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import type { PublicUrls } from './present/public-urls.ts'

/** One request as a handler sees it: authenticated, routed, its body read. */
export interface ApiRequest {
  readonly caller: Caller | null
  /** Decoded path parameters by their name in the route. */
  readonly params: Readonly<Record<string, string>>
  /** The path as it was sent, with the base path and without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** Members of the JSON object in the body; empty on routes that read none. */
  readonly body: ReadonlyMap<string, unknown>
}

/** A request on a route that no anonymous caller reaches. */
export interface AuthenticatedApiRequest extends ApiRequest {
  readonly caller: Caller
}

/** What a handler answers: JSON and the few headers that are its own. */
export interface ApiResponse {
  readonly status: number
  /** Name and value in turn. */
  readonly headers: readonly string[]
  /** JSON text. */
  readonly body: string
}

/** What a handler works with. */
export interface ApiDeps {
  readonly store: Store
  readonly git: GitStore
  readonly log: Logger
  readonly urls: PublicUrls
  /** Whether this host has nothing for anonymous callers. */
  readonly isSignInRequired: boolean
  readonly config: Pick<Config, 'quotas'>
}
