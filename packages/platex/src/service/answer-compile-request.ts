/**
 * The request handler: JSON in, PDF or diagnostics out, never a rejection.
 *
 * What the request says wins over `options`; where and how to compile (service, key, limits, sandbox) is never the
 * request's to say. Files of both travel together, so that a house class in `options.files` serves every request.
 */
import { resolveLimits } from '../options/check-limits.ts'
import type { CompileOptions, CompileResult, PlatexClient } from '../base/types.ts'
import { defaultMaxBodyBytes } from './wire/default-max-body-bytes.ts'
import { encodeBase64 } from './wire/encode-base64.ts'
import type { CompileBody } from './wire/parse-compile-body.ts'
import { parseCompileBody } from './wire/parse-compile-body.ts'
import { jsonResponse } from './wire/json-response.ts'
import { encodeOutputs } from './wire/present-result.ts'
import { presentFault } from './wire/present-fault.ts'
import { readBody } from './body/read-body.ts'
import { RequestFault } from './wire/request-fault.ts'
import { toRequestFault } from './wire/to-request-fault.ts'
import { withJoinedSignal } from '../base/with-joined-signal.ts'
import type { HandlerOptions } from './handler-options.ts'

export interface AnswerContext {
  readonly compile: PlatexClient['compile']
  readonly options: HandlerOptions
}

/** Compiles what the request asks for and presents the result in the format of the options. */
export async function answerCompileRequest(request: Request, context: AnswerContext): Promise<Response> {
  const { responseFormat = 'pdf', signal: ownSignal, ...options } = context.options
  return withJoinedSignal([request.signal, ownSignal], async (signal) => {
    try {
      const body = await readCompileBody(request, options)
      const result = await context.compile(body.source, { ...options, ...requestedOptions(body, options), signal })
      return responseFormat === 'json' ? presentJson(result) : presentPdf(result)
    } catch (error) {
      return presentFault(signal.aborted ? abortedFault(request.signal.aborted) : toRequestFault(error))
    }
  })
}

async function readCompileBody(request: Request, options: CompileOptions): Promise<CompileBody> {
  if (request.method !== 'POST') {
    throw new RequestFault('Send the document with POST.', {
      status: 405,
      code: 'method_not_allowed',
      headers: { Allow: 'POST' },
    })
  }
  const limits = resolveLimits(options.limits)
  return parseCompileBody(await readBody(request, { maxBytes: defaultMaxBodyBytes(limits) }), limits)
}

function requestedOptions(body: CompileBody, defaults: CompileOptions): CompileOptions {
  return {
    ...(body.main === null ? {} : { main: body.main }),
    ...(body.engine === null ? {} : { engine: body.engine }),
    ...(body.passes === null ? {} : { passes: body.passes }),
    ...(body.bibliography === null ? {} : { bibliography: body.bibliography }),
    ...(body.timeoutMs === null ? {} : { timeout: body.timeoutMs }),
    ...(body.outputs.length === 0 ? {} : { outputs: body.outputs }),
    ...(body.files.size === 0 ? {} : { files: { ...defaults.files, ...Object.fromEntries(body.files) } }),
  }
}

function presentPdf(result: CompileResult): Response {
  if (result.pdf === null) {
    return jsonResponse(JSON.stringify({ errors: result.errors, warnings: result.warnings }), 422)
  }
  // A copy when the PDF is a view of a larger buffer: a body takes bytes of their own.
  return new Response(new Uint8Array(result.pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Cache-Control': 'no-store' },
  })
}

function presentJson({ pdf, errors, warnings, outputs }: CompileResult): Response {
  const body = {
    pdf: pdf === null ? null : encodeBase64(pdf),
    errors,
    warnings,
    ...(outputs === undefined ? {} : { outputs: encodeOutputs(outputs) }),
  }
  return jsonResponse(JSON.stringify(body), 200)
}

function abortedFault(byCaller: boolean): RequestFault {
  return byCaller
    ? new RequestFault('The caller went away.', { status: 499, code: 'aborted' })
    : new RequestFault('The compile was cancelled.', { status: 503, code: 'aborted', headers: { 'Retry-After': '1' } })
}
