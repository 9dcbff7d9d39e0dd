import type { Logger } from 'pino'

import type { Parsers } from '../base/open-parsers.ts'
import type { Config } from '../config/read-config.ts'
import type { Caller } from '../domain/types.ts'
import type { GitStore } from '../git/types.ts'
import type { Store } from '../store/store.ts'
import type { PublicUrls } from './present/public-urls.ts'

/** A request as passed to a handler: authenticated, routed, its body read. */
export interface ApiRequest {
  readonly caller: Caller | null
  /** Decoded path parameters by their name in the route. */
  readonly params: Readonly<Record<string, string>>
  /** The path as sent, with the base path and without the query. */
  readonly path: string
  readonly query: URLSearchParams
  /** The query as sent, without the question mark. */
  readonly search: string
  /** The members of the JSON object in the body that the route names. */
  readonly body: ReadonlyMap<string, unknown>
}

/** A request on a route that requires a token. */
export interface AuthenticatedApiRequest extends ApiRequest {
  readonly caller: Caller
}

/** A handler's response: JSON and its own headers. */
export interface ApiResponse {
  readonly status: number
  /** Names and values alternate. */
  readonly headers: readonly string[]
  /** JSON text. */
  readonly body: string
}

/** Dependencies of handlers. */
export interface ApiDeps {
  readonly store: Store
  readonly git: GitStore
  readonly log: Logger
  readonly parsers: Parsers
  readonly urls: PublicUrls
  /** Whether this host refuses anonymous callers. */
  readonly isSignInRequired: boolean
  readonly config: Pick<Config, 'quotas'>
}
