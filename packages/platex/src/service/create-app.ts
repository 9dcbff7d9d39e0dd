import { setTimeout as sleep } from 'node:timers/promises'

import { Hono } from 'hono'
import { stopSharedWaiting } from '../compile/shared-sandbox.ts'
import { answerCompile } from './answer-compile.ts'
import { answerHealth, answerMetrics, answerReady } from './answer-monitoring.ts'
import { answer, type ServiceRequest } from './answer.ts'
import { createCompileService } from './compile-service.ts'
import type { CompileServiceConfig } from './service-config.ts'
import type { DrainOptions } from './shutdown.ts'
import { RequestFault } from './wire/request-fault.ts'

/** The compile service as a Hono app: `app.fetch` is its `Request` to `Response` function. */
const STOP_PATIENCE_MS = 5_000

export interface CompileApp extends Hono {
  /**
   * *Addition*: shuts down gracefully. `/health` returns 503 and new compiles are rejected at once. Running compiles
   * are cancelled after `timeoutMs` (125 s); resolves when all have ended, and the waiting engines too.
   */
  readonly drain: (options?: DrainOptions) => Promise<void>
}

/**
 * Creates the HTTP service: `POST /compile`, `GET /health`, and as additions `GET /ready` and `GET /metrics`.
 *
 * @throws CompileInputError if a number in the configuration is out of range.
 */
export function createApp(config: CompileServiceConfig = {}): CompileApp {
  const service = createCompileService(config)
  const app = new Hono()
  const routes = [
    { method: 'POST', path: '/compile', allow: 'POST', route: answerCompile },
    { method: 'GET', path: '/health', allow: 'GET, HEAD', route: answerHealth },
    { method: 'GET', path: '/ready', allow: 'GET, HEAD', route: answerReady },
    { method: 'GET', path: '/metrics', allow: 'GET, HEAD', route: answerMetrics },
  ]
  for (const { method, path, allow, route } of routes) {
    app.on(method, path, (context) => answer(context.req.raw, service, route))
    app.all(path, (context) => answer(context.req.raw, service, () => refuseMethod(allow)))
  }
  app.notFound((context) => answer(context.req.raw, service, refusePath))
  const drain = async (options?: DrainOptions): Promise<void> => {
    await service.shutdown.drain(options)
    // What does not stop in time ends with the process.
    await Promise.race([
      stopSharedWaiting(service.sandbox, service),
      sleep(STOP_PATIENCE_MS, undefined, { ref: false }),
    ])
  }
  return Object.assign(app, { drain })
}

function refuseMethod(allow: string): never {
  throw new RequestFault(`This path accepts ${allow}.`, {
    status: 405,
    code: 'method_not_allowed',
    headers: { Allow: allow },
  })
}

function refusePath(_request: ServiceRequest): never {
  throw new RequestFault('Not found. Send documents to POST /compile.', {
    status: 404,
    code: 'not_found',
  })
}

/**
 * Creates a Hono app with only `POST /compile`, to mount in another app:
 * `app.route('/', createCompileRoute({ apiKey }))`.
 *
 * @throws CompileInputError if a number in the configuration is out of range.
 */
export function createCompileRoute(config: CompileServiceConfig = {}): Hono {
  const service = createCompileService(config)
  return new Hono().post('/compile', (context) => answer(context.req.raw, service, answerCompile))
}
