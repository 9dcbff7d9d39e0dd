import { sharedWaitingStatus } from '../compile/shared-sandbox.ts'
import type { ServiceRequest } from './answer.ts'
import { unauthorized } from './api-key.ts'
import { checkReadiness, type Readiness } from './check-readiness.ts'
import type { CompileService } from './compile-service.ts'
import { jsonResponse } from './wire/json-response.ts'

const FAILURE_KEPT_MS = 10_000

const checks = new WeakMap<CompileService, Promise<Readiness>>()

/**
 * `GET /ready`: compiles a document once, and asks each time for what else hinders the service. A 503 says what is missing.
 * After ten seconds a failed compile is repeated, including biber. Requires no key, because load balancers have none.
 */
export async function answerReady({ service }: ServiceRequest): Promise<Response> {
  const readiness = service.shutdown.isDraining() ? null : await checkAll(service)
  // Also covers a shutdown that begins during the check and ends it.
  if (readiness === null || service.shutdown.isDraining()) return jsonResponse('{"status":"draining"}', 503)
  return jsonResponse(JSON.stringify(readiness), readiness.status === 'ready' ? 200 : 503)
}

async function checkAll(service: CompileService): Promise<Readiness | { readonly status: 'ready' }> {
  const tex = service.requiresTex ? checkOnce(service) : { status: 'ready' as const }
  const [readiness, reason] = await Promise.all([tex, service.findReadinessProblem()])
  return reason === null ? readiness : { status: 'not-ready', reason }
}

function checkOnce(service: CompileService): Promise<Readiness> {
  const known = checks.get(service)
  if (known !== undefined) return known
  const checking = checkReadiness(service)
  checks.set(service, checking)
  void checking.then((readiness) => {
    const isGood = readiness.status === 'ready' && readiness.biberFailure === null
    if (!isGood) setTimeout(() => checks.delete(service), FAILURE_KEPT_MS).unref()
  })
  return checking
}

/** `GET /health`: requires no key and compiles nothing; 503 as soon as the service shuts down. */
export function answerHealth({ service }: ServiceRequest): Response {
  if (service.shutdown.isDraining()) return jsonResponse('{"status":"draining"}', 503)
  return jsonResponse('{"status":"ok"}', 200)
}

/** `GET /metrics`: Prometheus text. Requires a key if one is set, because the load of a service is not public. */
export async function answerMetrics({ request, service }: ServiceRequest): Promise<Response> {
  if (!service.hasMetricsKey(request.headers.get('authorization'))) throw unauthorized()
  const waiting = sharedWaitingStatus(service.sandbox, service)
  const text = service.metrics.render({
    platex_compiles_running: ['Running compiles.', service.limiter.running()],
    platex_compile_slots: ['Number of compile slots.', service.limiter.maxConcurrent],
    platex_result_cache_bytes: ['Bytes of results kept for identical requests.', service.results.sizeBytes()],
    platex_waiting_engines: ['Waiting engines.', waiting?.programs.length ?? 0],
    platex_waiting_engine_bytes: ['Memory of the waiting engines, in bytes.', waiting?.memoryBytes ?? 0],
    platex_waiting_engine_hits_total: ['Compiles that found an engine waiting.', waiting?.hits ?? 0],
    platex_waiting_engine_misses_total: ['Compiles that found no engine waiting.', waiting?.misses ?? 0],
    platex_draining: ['1 while the service shuts down.', service.shutdown.isDraining() ? 1 : 0],
    ...(await service.gauges()),
  })
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}
