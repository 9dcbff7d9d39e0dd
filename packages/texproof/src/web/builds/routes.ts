import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import type { RequestLimits } from '../session/limit-requests.ts'
import { streamBuild } from './build-events.ts'
import { requestBuild } from './build-request.ts'
import { sendPassLog, showBuild } from './build.ts'
import { showBuilds } from './builds.ts'

/** Builds: results, progress, and new builds on request. */
export function addBuildRoutes<E extends Env>(app: Hono<E>, deps: Deps & { readonly limits: RequestLimits }): void {
  app.get('/:owner/:repo/builds', (c: Context) => showBuilds(c, deps))
  app.post('/:owner/:repo/builds', (c: Context) => requestBuild(c, deps))
  app.get('/:owner/:repo/builds/:number', (c: Context) => showBuild(c, deps))
  app.get('/:owner/:repo/builds/:number/events', (c: Context) => streamBuild(c, deps))
  app.get('/:owner/:repo/builds/:number/logs/:pass', (c: Context) => sendPassLog(c, deps))
}
