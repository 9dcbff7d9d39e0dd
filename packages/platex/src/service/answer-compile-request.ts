/**
 * The request handler: JSON in, PDF or diagnostics out. Never rejects.
 *
 * Fields of the request override `options`, but a request cannot choose where and how to compile (service, key, limits,
 * sandbox). The files of both are combined, so that `options.files` can contain a class for all requests.
 */
import type { CompileOptions, CompileResult, PlatexClient } from '../base/types.ts'
import { withJoinedSignal } from '../base/with-joined-signal.ts'
import { resolveLimits, type ResolvedLimits } from '../options/check-limits.ts'
import { parseResponseFormat } from '../options/parse-settings.ts'
import { endAfterBody } from './body/end-after-body.ts'
import { defaultMaxBodyBytes, readBody } from './body/read-body.ts'
import { jsonResponse, presentFault } from './wire/json-response.ts'
import { parseCompileBody, type CompileBody } from './wire/parse-compile-body.ts'
import { presentResult, type PresentableResult, type ResultJson } from './wire/present-result.ts'
import { RequestFault } from './wire/request-fault.ts'
import { toRequestFault } from './wire/to-request-fault.ts'

export interface AnswerContext {
  readonly client: Pick<PlatexClient, 'compile' | 'limits'>
  readonly options: HandlerOptions
  /** Parses bodies and writes results. @default on the current thread */
  readonly codec?: BodyCodec
}

export interface BodyCodec {
  /** @throws RequestFault or CompileInputError for an invalid request. */
  readonly parse: (json: Uint8Array<ArrayBuffer>, limits: ResolvedLimits) => CompileBody | Promise<CompileBody>
  readonly present: (result: PresentableResult) => ResultJson | Promise<ResultJson>
}

const INLINE_CODEC: BodyCodec = { parse: parseCompileBody, present: presentResult }

/** Compiles the request and returns the result in the format of the options. */
export async function answerCompileRequest(request: Request, context: AnswerContext): Promise<Response> {
  const { client } = context
  const { responseFormat: wantedFormat, signal: ownSignal, onError = logError, ...options } = context.options
  const codec = context.codec ?? INLINE_CODEC
  return withJoinedSignal([request.signal, ownSignal], async (signal) => {
    try {
      const responseFormat = parseResponseFormat(wantedFormat) ?? 'pdf'
      const body = await readCompileBody(request, resolveLimits(options.limits, resolveLimits(client.limits)), codec)
      const result = await client.compile(body.source, { ...options, ...requestedOptions(body, options), signal })
      return responseFormat === 'json' ? await presentJson(result, codec) : presentPdf(result)
    } catch (error) {
      const fault = signal.aborted ? abortedFault(request.signal.aborted) : toRequestFault(error)
      if (fault.status === 500 || fault.status === 502) report(error, onError)
      return endAfterBody(presentFault(fault), request)
    }
  })
}

function report(error: unknown, onError: (error: unknown) => void): void {
  try {
    onError(error)
  } catch {
    // The handler never rejects: without a log, the caller still gets the response.
  }
}

/** Runs in browsers too, which have no standard error. */
function logError(error: unknown): void {
  // oxlint-disable-next-line no-console -- the handler has no other log
  console.error('Compile request failed:', error)
}

async function readCompileBody(request: Request, limits: ResolvedLimits, codec: BodyCodec): Promise<CompileBody> {
  if (request.method !== 'POST') {
    throw new RequestFault('Send the document with POST.', {
      status: 405,
      code: 'method_not_allowed',
      headers: { Allow: 'POST' },
    })
  }
  return codec.parse(await readBody(request, { maxBytes: defaultMaxBodyBytes(limits) }), limits)
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
  // Copies the PDF if it is a view of a larger buffer, because a body requires a buffer of its own.
  return new Response(new Uint8Array(result.pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Cache-Control': 'no-store' },
  })
}

/** No logs, and always status 200. */
async function presentJson(result: CompileResult, codec: BodyCodec): Promise<Response> {
  const { pdf, errors, warnings, outputs } = result
  const json = await codec.present({ pdf, errors, warnings, ...(outputs === undefined ? {} : { outputs }) })
  return jsonResponse(json, 200)
}

function abortedFault(byCaller: boolean): RequestFault {
  return byCaller
    ? new RequestFault('The client disconnected.', { status: 499, code: 'aborted' })
    : new RequestFault('The compile was cancelled.', { status: 503, code: 'aborted', headers: { 'Retry-After': '1' } })
}

/** Options of a request handler: defaults for absent fields of the request, and the response format. */
export interface HandlerOptions extends CompileOptions {
  /** @default 'pdf' */
  readonly responseFormat?: 'pdf' | 'json'
  /**
   * *Addition*: called with the cause of each response with status 500 or 502, which the response does not contain.
   *
   * @default prints it with `console.error`
   */
  readonly onError?: (error: unknown) => void
}
