import type { Route } from '../../packages/texproof/src/api/routes.ts'

/** An endpoint that is to be made. */
export interface Endpoint {
  readonly method: Route['method']
  /** Below `/api/v3`, as in the route table. */
  readonly path: string
  /** Its handler. */
  readonly name: string
  /** Whether nobody comes in without a token. */
  readonly needsLogin: boolean
  readonly isList: boolean
  /** Whether it is about what is in `{owner}/{repo}`. */
  readonly isInRepository: boolean
}

/** Method and path with a space between, as a row of the matrix is called. */
export function titleOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} ${path}`
}
