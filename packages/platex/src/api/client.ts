/** The client entry: no Node, so browsers and edge runtimes can use it. It compiles remotely only. */
import type { PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { createClient } from '../client/create-client.ts'
import { answerCompileRequest, type HandlerOptions } from '../service/answer-compile-request.ts'

export type * from '../base/types.ts'

const { compile } = createPlatexClient()

/**
 * Makes a client with defaults baked in, for any JavaScript runtime: it compiles at the service that `serviceUrl` of
 * the call, of `config`, or environment variable COMPILE_SERVICE_URL names, and rejects with `NO_SERVICE` without one.
 *
 * Its functions need no `this`: `const { compile, health } = createPlatexClient({ serviceUrl })`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, null)
}

/**
 * Answers a `Request` by compiling at the service that `serviceUrl` or COMPILE_SERVICE_URL names. Requests and answers
 * are those of `handleCompileRequest` of the main entry. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { compile, options })
}

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
