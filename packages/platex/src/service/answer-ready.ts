import { jsonResponse } from './wire/json-response.ts'
import type { ServiceRequest } from './answer.ts'
import { checkReadiness } from './check-readiness.ts'
import type { Readiness } from './check-readiness.ts'
import type { CompileService } from './compile-service.ts'

const FAILURE_KEPT_MS = 10_000

const checks = new WeakMap<CompileService, Promise<Readiness>>()

/**
 * `GET /ready`: a document was really compiled here, once. 503 says what is missing, and is tried again after ten
 * seconds. Needs no key, as load balancers have none.
 */
export async function answerReady({ service }: ServiceRequest): Promise<Response> {
  if (service.shutdown.isDraining()) return jsonResponse('{"status":"draining"}', 503)
  const readiness = await checkOnce(service)
  return jsonResponse(JSON.stringify(readiness), readiness.status === 'ready' ? 200 : 503)
}

function checkOnce(service: CompileService): Promise<Readiness> {
  const known = checks.get(service)
  if (known !== undefined) return known
  const checking = checkReadiness(service)
  checks.set(service, checking)
  void checking.then((readiness) => {
    if (readiness.status !== 'ready') setTimeout(() => checks.delete(service), FAILURE_KEPT_MS).unref()
  })
  return checking
}
