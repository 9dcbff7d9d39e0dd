import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { sendBadge } from '../pdf/badge.ts'
import { streamBuild } from './build-events.ts'
import { requestBuild } from './build-request.ts'
import { sendPicture } from '../pdf/picture.ts'

/** What stands around the PDFs: pictures of pages, badges, builds as they happen, builds on demand. */
export function addPaperRoutes<E extends Env>(app: Hono<E>, deps: Deps & { readonly limits: RequestLimits }): void {
  app.get('/:owner/:repo/picture/:rest{[^]+}', (c: Context) => sendPicture(c, deps))
  app.get('/:owner/:repo/badge/:rest{[^]+}', (c: Context) => sendBadge(c, deps))
  app.get('/:owner/:repo/builds/:number/events', (c: Context) => streamBuild(c, deps))
  app.post('/:owner/:repo/builds', (c: Context) => requestBuild(c, deps))
}
