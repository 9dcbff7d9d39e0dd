/**
 * `POST /compile`. Cheap checks come first: the key and a free slot are checked before a body of up to forty megabytes
 * is read, the document last.
 *
 * Source: compile specification, sections 4, 5, 7 and 8.
 */
import { DEFAULTS } from '../base/defaults.ts'
import type { CompileRequest } from '../options/compile-request.ts'
import { checkRootFile } from '../options/parse-main.ts'
import { compileInSandbox, currentSandbox } from '../compile/compile-locally.ts'
import { installationId } from '../compile/installation-id.ts'
import type { Sandbox } from '../sandbox/types.ts'
import { limitPdf } from '../base/limit-pdf.ts'
import type { CompileResult } from '../base/types.ts'
import type { CompileBody } from './wire/parse-compile-body.ts'
import { checkBodyHeaders, readBody } from './body/read-body.ts'
import { RequestFault } from './wire/request-fault.ts'
import { prefersEventStream } from './accept.ts'
import type { ServiceRequest } from './answer.ts'
import { ownerOf, unauthorized } from './api-key.ts'
import type { CompileService } from './compile-service.ts'
import { parseAnyBody } from './body/large-bodies.ts'
import { withJoinedSignal } from '../base/with-joined-signal.ts'
import type { CachedResult, SharedCompile, SharedOutcome } from './result-cache.ts'
import { cacheKey } from '../base/bounded-cache.ts'
import { presentCompile } from './present-compile.ts'
import { refuseOtherSites } from './refuse-other-sites.ts'
import { uploadFormOf } from './body/upload-form.ts'
import type { CompileEnd } from './service-event.ts'
import { streamCompile, type StreamListener } from './stream-compile.ts'

/** Compiles the request: 200 with or without a PDF. */
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
    return streamCompile(serviceRequest, async (listener) => {
      const { result } = await compileInSlot(compile, { ...serviceRequest, ...listener, leave })
      return result
    })
  }
  const { result, cache } = await compileInSlot(compile, { ...serviceRequest, leave })
  const response = await presentCompile(request.headers, result, service.resultBudget)
  response.headers.set('X-Cache', cache)
  return response
}

function refuseWhenFull(service: CompileService): void {
  if (service.shutdown.isDraining()) throw shuttingDown()
  if (service.limiter.isFull()) throw tooManyCompiles(service)
}

async function readCompileBody(request: Request, service: CompileService): Promise<CompileBody> {
  const account = service.requestBudget.open()
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
    session: body.session,
  }
}

function enterSlot(service: CompileService): () => void {
  refuseWhenFull(service)
  const leave = service.limiter.enter()
  if (leave === null) throw tooManyCompiles(service)
  return leave
}

interface SlotContext extends ServiceRequest, Partial<StreamListener> {
  /** Releases the slot. */
  readonly leave: () => void
}

/** A slot is held while TeX runs. A request that joins a running compile holds a slot too. */
async function compileInSlot(compile: CompileRequest, context: SlotContext): Promise<CachedResult> {
  const { request, service, onProgress } = context
  const { killSignal } = service.shutdown
  try {
    return await withJoinedSignal([request.signal, context.signal, killSignal], async (signal) => {
      const caller = ownerOf(request.headers.get('authorization'), service)
      const { sandbox: mode, cacheDir, maxWaiting } = service
      const sandbox = await currentSandbox({ sandbox: mode, cacheDir, maxWaiting, signal })
      if (caller === null) {
        const unnamed = { ...context, sandbox, signal, owner: undefined }
        const { result } = await compileMeasured({ ...compile, session: null }, unnamed)
        return { result, cache: 'miss' }
      }
      const owner = `${service.id} ${caller}`
      const address = { owner, key: keyOf(compile, installationId(sandbox)) }
      const isFresh = /\bno-cache\b/i.test(request.headers.get('cache-control') ?? '')
      return service.results.answer({ address, isFresh, signal, onProgress }, (shared) =>
        compileMeasured(compile, { ...context, ...shared, sandbox, owner }),
      )
    })
  } catch (error) {
    throw killSignal.aborted ? shuttingDown() : error
  } finally {
    context.leave()
  }
}

/** Everything that determines the result. The date is included, because documents print it; the time of day is not. */
function keyOf(compile: CompileRequest, installation: string): string {
  const { source, main, engine, passes, bibliography, timeoutMs, outputs, session, files } = compile
  const day = new Date().toISOString().slice(0, 10)
  const settings = [installation, day, source, main, engine, passes, bibliography, timeoutMs, outputs.join(), session]
  const names = [...files.keys()].sort()
  return cacheKey([...settings, ...names.flatMap((name) => [name, files.get(name) ?? null])])
}

async function compileMeasured(
  compile: CompileRequest,
  context: SlotContext &
    Pick<SharedCompile, 'signal'> & { readonly sandbox: Sandbox; readonly owner: string | undefined },
): Promise<SharedOutcome> {
  const { service, requestId, sandbox, signal, onProgress, owner } = context
  const startedAt = performance.now()
  const report = (end: CompileEnd, passes: number): void => {
    const measure = { engine: compile.engine, end, passes, durationMs: performance.now() - startedAt }
    service.metrics.countCompile(measure)
    service.log({ kind: 'compiled', requestId, ...measure })
  }
  try {
    const { result, isComplete } = await compileInSandbox(compile, sandbox, { owner, signal, onProgress })
    const limited = limitPdf(result, service.limits.maxPdfBytes)
    report(endOf(limited), countEnginePasses(limited))
    return { result: limited, isComplete }
  } catch (error) {
    report(signal.aborted ? 'aborted' : 'failed', 0)
    throw error
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
  return new RequestFault('All compile slots are in use. Try again later.', {
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
