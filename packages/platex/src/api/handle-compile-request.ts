import { answerCompileRequest } from '../service/answer-compile-request.ts'
import type { HandlerOptions } from '../service/handler-options.ts'
import { compile } from './compile.ts'

/**
 * Answers a `Request` whose JSON body is `{source, engine?, passes?, bibliography?, files?, timeout?}`.
 *
 * `responseFormat: 'pdf'` (default): 200 with the PDF, 422 with `{errors, warnings}`. `'json'`: always 200 with
 * `{pdf, errors, warnings}`. 400 for bad input, 413 for a body that cannot be within the limits, 502 when the remote
 * service is unreachable, 503 when it is busy. Never rejects.
 */
export function handleCompileRequest(request: Request, options: HandlerOptions = {}): Promise<Response> {
  return answerCompileRequest(request, { compile, options })
}
