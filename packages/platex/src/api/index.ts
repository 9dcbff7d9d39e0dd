/** The Node entry: compiles remotely when a service URL resolves, locally otherwise. */
import type { CompileOptions, CompileResult, PlatexClient, PlatexClientConfig } from '../base/types.ts'
import { createClient } from '../client/create-client.ts'
import { compileLocally } from '../compile/compile-locally.ts'
import { answerCompileRequest, type HandlerOptions } from '../service/answer-compile-request.ts'
import { parseAnyBody, presentAnyResult } from '../service/body/large-bodies.ts'

export type * from '../base/types.ts'

const client = createPlatexClient()
/** Large bodies are parsed and written by worker threads, which the client entry lacks. */
const codec = { parse: parseAnyBody, present: presentAnyResult }

/**
 * Compiles LaTeX to PDF: remotely when a service URL resolves, locally otherwise.
 *
 * `source` may be null when `options.files` holds the root file that `options.main` names.
 *
 * LaTeX that fails does not throw: check `result.pdf` and read `result.errors`.
 *
 * @throws CompileInputError for an invalid request; RemoteCompileError when a service returns no result; PlatexError
 * when neither an engine nor a service is available; the signal's reason when cancelled.
 */
export function compile(source: string | null, options: CompileOptions = {}): Promise<CompileResult> {
  return client.compile(source, options)
}

/**
 * Makes a client with defaults baked in. It compiles remotely when a service URL resolves (`serviceUrl` of the call,
 * of `config`, or environment variable COMPILE_SERVICE_URL), locally otherwise.
 *
 * Its functions need no `this`: `const { compile, health } = createPlatexClient()`.
 */
export function createPlatexClient(config: PlatexClientConfig = {}): PlatexClient {
  return createClient(config, compileLocally)
}

/**
 * Answers a `Request` whose JSON body is `{source, engine?, passes?, bibliography?, files?, timeout?}`.
 *
 * `responseFormat: 'pdf'` (default): 200 with the PDF, 422 with `{errors, warnings}`. `'json'`: always 200 with
 * `{pdf, errors, warnings}`. 400 for bad input, 413 for a body that cannot be within the limits, 502 when the remote
 * service is unreachable, 503 when it is busy. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { compile, options, codec })
}

/**
 * Makes a `Request` to `Response` handler that compiles with the given client; it behaves as `handleCompileRequest`.
 *
 * One line makes a route: `export const POST = createRequestHandler(client)`.
 */
export function createRequestHandler(
  { compile }: PlatexClient,
  options: HandlerOptions = {},
): (request: Request) => Promise<Response> {
  return (request) => answerCompileRequest(request, { compile, options, codec })
}
