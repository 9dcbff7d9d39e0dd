import type { PlatexClient } from '../base/types.ts'
import { answerCompileRequest } from './answer-compile-request.ts'
import type { HandlerOptions } from './handler-options.ts'

/**
 * Makes a `Request` to `Response` handler that compiles with the given client; it behaves as `handleCompileRequest`.
 *
 * One line makes a route: `export const POST = createRequestHandler(client)`.
 */
export function createRequestHandler(
  client: PlatexClient,
  options: HandlerOptions = {},
): (request: Request) => Promise<Response> {
  return (request) => answerCompileRequest(request, { compile: client.compile, options })
}
