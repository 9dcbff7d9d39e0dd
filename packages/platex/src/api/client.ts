/**
 * The client entry point. It does not need Node.js, so it runs in browsers and edge runtimes. Compiles remotely only.
 */
import type { PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { createClient } from '../client/create-client.ts'
import { parseResponseFormat } from '../options/parse-settings.ts'
import { answerCompileRequest, type HandlerOptions } from '../service/answer-compile-request.ts'

export type * from '../base/types.ts'
export type { HandlerOptions } from '../service/answer-compile-request.ts'

const client = createPlatexClient()

/**
 * Creates a client with defaults, for any JavaScript runtime. The service URL is `serviceUrl` of the call, `serviceUrl`
 * of `config`, or the environment variable COMPILE_SERVICE_URL, in this order; without one, calls reject with
 * `NO_SERVICE`.
 *
 * The functions can be destructured: `const { compile, health } = createPlatexClient({ serviceUrl })`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, null)
}

/**
 * Answers a `Request` by compiling at the service named by `serviceUrl` or COMPILE_SERVICE_URL. It accepts the same
 * requests and returns the same responses as `handleCompileRequest` of the main entry point. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { client, options })
}

/**
 * Creates a `Request` to `Response` handler that compiles with the given client and otherwise works like
 * `handleCompileRequest`.
 *
 * Add a route: `export const POST = createRequestHandler(client)`.
 *
 * @throws CompileInputError for another `responseFormat`.
 */
export function createRequestHandler(
  client: PlatexClient,
  options: HandlerOptions = {},
): (request: Request) => Promise<Response> {
  parseResponseFormat(options.responseFormat)
  return (request) => answerCompileRequest(request, { client, options })
}
