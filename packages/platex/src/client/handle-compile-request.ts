import { answerCompileRequest } from '../service/answer-compile-request.ts'
import type { HandlerOptions } from '../service/handler-options.ts'
import { createPlatexClient } from './create-platex-client.ts'

const { compile } = createPlatexClient()

/**
 * Answers a `Request` whose JSON body is `{source, engine?, passes?, bibliography?, files?, timeout?}` by compiling at
 * the service that `serviceUrl` or COMPILE_SERVICE_URL names.
 *
 * `responseFormat: 'pdf'` (default): 200 with the PDF, 422 with `{errors, warnings}`. `'json'`: always 200 with
 * `{pdf, errors, warnings}`. 400 for bad input, 413 for a body that cannot be within the limits, 502 when the service
 * is unreachable, 503 when it is busy. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { compile, options })
}
