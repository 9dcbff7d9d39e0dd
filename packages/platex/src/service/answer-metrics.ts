import type { ServiceRequest } from './answer.ts'
import { unauthorized } from './api-key.ts'

/** `GET /metrics`: Prometheus text. Asks for a key when there is one: how busy a service is, is not for all. */
export function answerMetrics({ request, service }: ServiceRequest): Response {
  if (!service.hasMetricsKey(request.headers.get('authorization'))) throw unauthorized()
  const text = service.metrics.render({
    platex_compiles_running: ['Compiles that hold a slot now.', service.gate.running()],
    platex_compile_slots: ['Compiles that can run at once.', service.gate.maxConcurrent],
    platex_draining: ['1 while the service shuts down.', service.shutdown.isDraining() ? 1 : 0],
  })
  return new Response(text, {
    headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
  })
}
