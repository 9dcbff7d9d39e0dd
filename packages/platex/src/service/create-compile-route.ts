import { Hono } from 'hono'

import { answer } from './answer.ts'
import { answerCompile } from './answer-compile.ts'
import { createCompileService } from './compile-service.ts'
import type { CompileServiceConfig } from './service-config.ts'

/**
 * Makes a Hono app with `POST /compile` and nothing else, to mount in an app of one's own:
 * `app.route('/', createCompileRoute({ apiKey }))`.
 *
 * @throws CompileInputError when a number of the configuration cannot be meant.
 */
export function createCompileRoute(config: CompileServiceConfig = {}): Hono {
  const service = createCompileService(config)
  return new Hono().post('/compile', (context) => answer(context.req.raw, service, answerCompile))
}
