/**
 * `POST /compile`. The cheapest checks come first: the key before the body is read, a free slot before up to forty
 * megabytes are read, the document last.
 *
 * Source: compile specification, sections 4, 5, 7 and 8.
 */
import { DEFAULTS } from '../base/defaults.ts'
import type { CompileRequest } from '../options/compile-request.ts'
import { checkRootFile } from '../options/parse-main.ts'
import { compileLocally } from '../compile/compile-locally.ts'
import { limitPdf } from '../base/limit-pdf.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileBody } from './wire/parse-compile-body.ts'
import { checkBodyHeaders, readBody } from './body/read-body.ts'
import { RequestFault } from './wire/request-fault.ts'
import { prefersEventStream } from './accept.ts'
import type { ServiceRequest } from './answer.ts'
import { unauthorized } from './api-key.ts'
import type { CompileService } from './compile-service.ts'
import { parseAnyBody } from './body/large-bodies.ts'
import { withJoinedSignal } from '../base/with-joined-signal.ts'
import { presentCompile } from './present-compile.ts'
import { refuseOtherSites } from './refuse-other-sites.ts'
import { uploadFormOf } from './body/upload-form.ts'
import type { CompileEnd } from './service-event.ts'
import { streamCompile, type StreamListener } from './stream-compile.ts'

/** Compiles what the request asks for: 200 whether or not a PDF came out. */
export async function answerCompile(serviceRequest: ServiceRequest): Promise<Response> {
  const { request, service } = serviceRequest
  if (!service.hasValidKey(request.headers.get('authorization'))) throw unauthorized()
  if (service.isKeyless) refuseOtherSites(request.headers)
  checkBodyHeaders(request.headers, service.maxRequestBodyBytes)
  refuseWhenFull(service)
  const body = await readCompileBody(request, service)
  const compile = withDefaults(body)
  const leave = enterSlot(service)
  if (prefersEventStream(request.headers)) {
    return streamCompile(serviceRequest, (listener) =>
      compileInSlot(compile, { ...serviceRequest, ...listener, leave }),
    )
  }
  const result = await compileInSlot(compile, { ...serviceRequest, leave })
  return presentCompile(request.headers, result)
}

function refuseWhenFull(service: CompileService): void {
  if (service.shutdown.isDraining()) throw shuttingDown()
  if (service.limiter.isFull()) throw tooManyCompiles(service)
}

async function readCompileBody(request: Request, service: CompileService): Promise<CompileBody> {
  const account = service.bodyBudget.open()
  try {
    const bytes = await readBody(request, { maxBytes: service.maxRequestBodyBytes, onPiece: account.take })
    return await parseAnyBody(bytes, service.limits, uploadFormOf(request))
  } finally {
    account.close()
  }
}

function withDefaults(body: CompileBody): CompileRequest {
  checkRootFile(body)
  return {
    source: body.source,
    main: body.main,
    outputs: body.outputs,
    files: body.files,
    engine: body.engine ?? DEFAULTS.engine,
    passes: body.passes ?? DEFAULTS.passes,
    bibliography: body.bibliography ?? DEFAULTS.bibliography,
    timeoutMs: body.timeoutMs ?? DEFAULTS.timeoutMs,
  }
}

function enterSlot(service: CompileService): () => void {
  refuseWhenFull(service)
  const leave = service.limiter.enter()
  if (leave === null) throw tooManyCompiles(service)
  return leave
}

interface SlotContext extends ServiceRequest, Partial<StreamListener> {
  /** Gives the slot back. */
  readonly leave: () => void
}

/** A slot is held while TeX runs and no longer. */
async function compileInSlot(compile: CompileRequest, context: SlotContext): Promise<CompileResult> {
  try {
    return await compileMeasured(compile, context)
  } finally {
    context.leave()
  }
}

async function compileMeasured(compile: CompileRequest, context: SlotContext): Promise<CompileResult> {
  const { request, service, requestId, onProgress } = context
  const startedAt = performance.now()
  const report = (end: CompileEnd, passes: number): void => {
    const measure = { engine: compile.engine, end, passes, durationMs: performance.now() - startedAt }
    service.metrics.countCompile(measure)
    service.log({ kind: 'compiled', requestId, ...measure })
  }
  const { killSignal } = service.shutdown
  try {
    const result = await withJoinedSignal([request.signal, context.signal, killSignal], (signal) =>
      compileLocally(compile, { sandbox: service.sandbox, cacheDir: service.cacheDir, signal, onProgress }),
    )
    const limited = limitPdf(result, service.limits.maxPdfBytes)
    report(endOf(limited), countEnginePasses(limited))
    return limited
  } catch (error) {
    report(request.signal.aborted || context.signal?.aborted || killSignal.aborted ? 'aborted' : 'failed', 0)
    throw killSignal.aborted ? shuttingDown() : error
  }
}

function endOf(result: CompileResult): CompileEnd {
  if (result.pdf !== null) return 'pdf'
  return result.logs.some((log) => log.timedOut) ? 'timed-out' : 'no-pdf'
}

function countEnginePasses(result: CompileResult): number {
  return result.stats?.passes ?? result.logs.filter((log) => log.engine !== 'bibtex' && log.engine !== 'biber').length
}

function tooManyCompiles(service: CompileService): RequestFault {
  return new RequestFault('All compile slots are taken. Try again shortly.', {
    status: 503,
    code: 'too_many_compiles',
    headers: { 'Retry-After': String(service.limiter.retryAfterSeconds()) },
  })
}

function shuttingDown(): RequestFault {
  return new RequestFault('The service is shutting down.', {
    status: 503,
    code: 'shutting_down',
    headers: { 'Retry-After': '5' },
  })
}
