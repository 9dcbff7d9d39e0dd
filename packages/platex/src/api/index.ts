/** The entry point for Node.js: compiles remotely if a service URL is set, otherwise locally. */
import type { CompileOptions, CompileResult, PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { createClient } from '../client/create-client.ts'
import { compileLocally } from '../compile/compile-locally.ts'
import { parseResponseFormat } from '../options/parse-settings.ts'
import { answerCompileRequest, type HandlerOptions } from '../service/answer-compile-request.ts'
import { parseAnyBody, presentAnyResult } from '../service/body/large-bodies.ts'

export type * from '../base/types.ts'
export type { HandlerOptions } from '../service/answer-compile-request.ts'

const client = createPlatexClient()
/** Large bodies are parsed and written by worker threads, which the client entry point does not have. */
const codec = { parse: parseAnyBody, present: presentAnyResult }

/**
 * Compiles LaTeX to PDF: remotely if a service URL is set, otherwise locally.
 *
 * `source` may be null if `options.files` contains the root file named by `options.main`.
 *
 * LaTeX errors do not throw: check `result.pdf` and read `result.errors`.
 *
 * @throws CompileInputError for an invalid request; RemoteCompileError if a service returns no result; PlatexError if
 * neither an engine nor a service is available; the reason of the signal if cancelled.
 */
export function compile(source: string | null, options: CompileOptions = {}): Promise<CompileResult> {
  return client.compile(source, options)
}

/**
 * Creates a client with defaults. It compiles remotely if a service URL is set (`serviceUrl` of the call or of
 * `config`, or the environment variable COMPILE_SERVICE_URL), otherwise locally.
 *
 * The functions can be destructured: `const { compile, health } = createPlatexClient()`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, compileLocally)
}

/**
 * Answers a `Request` whose JSON body is `{source, engine?, passes?, bibliography?, files?, timeout?}`.
 *
 * `responseFormat: 'pdf'` (default): 200 with the PDF, 422 with `{errors, warnings}`. `'json'`: always 200 with
 * `{pdf, errors, warnings}`. 400 for invalid input, 413 for a body that is too large, 502 if the remote service is
 * unreachable, 503 if it is busy. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { client, options, codec })
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
  return (request) => answerCompileRequest(request, { client, options, codec })
}
