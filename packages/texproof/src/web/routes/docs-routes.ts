import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../deps.ts'
import { postReadingToken, showApiDocs } from '../pages/docs/api.ts'
import { sendApiDescription, showDocs } from '../pages/docs/docs.ts'
import { showErrorList, showErrorPage } from '../pages/docs/errors.ts'
import { showSearch } from '../pages/search.ts'
import { showTexStatus } from '../pages/status-tex.ts'

/** What belongs to nobody in particular: the documentation and the search. They stand before `/:owner`. */
export function addDocsRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/docs', (c: Context) => showDocs(c, deps))
  app.get('/docs/api', (c: Context) => showApiDocs(c, deps))
  app.post('/docs/api', (c: Context) => postReadingToken(c, deps))
  app.get('/docs/openapi.json', (c: Context) => sendApiDescription(c, deps))
  app.get('/docs/errors', (c: Context) => showErrorList(c))
  app.get('/docs/errors/:code', (c: Context) => showErrorPage(c))
  app.get('/docs/:page', (c: Context) => showDocs(c, deps))
  app.get('/status/tex', (c: Context) => showTexStatus(c, deps))
  app.get('/search', (c: Context) => showSearch(c, deps))
}
