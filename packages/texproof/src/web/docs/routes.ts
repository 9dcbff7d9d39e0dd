import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postReadingToken, showApiDocs } from './api.ts'
import { sendApiDescription, showDocs } from './docs.ts'
import { showErrorList, showErrorPage } from './errors.ts'
import { showTexStatus } from './status-tex.ts'

/** The documentation. */
export function addDocsRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/docs', (c: Context) => showDocs(c, deps))
  app.get('/docs/api', (c: Context) => showApiDocs(c, deps))
  app.post('/docs/api', (c: Context) => postReadingToken(c, deps))
  app.get('/docs/openapi.json', (c: Context) => sendApiDescription(c, deps))
  app.get('/docs/errors', (c: Context) => showErrorList(c))
  app.get('/docs/errors/:code', (c: Context) => showErrorPage(c))
  app.get('/docs/:page', (c: Context) => showDocs(c, deps))
  app.get('/status/tex', (c: Context) => showTexStatus(c, deps))
}
