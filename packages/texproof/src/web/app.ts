/**
 * The web pages: complete without script, with one style sheet. Each family of pages adds its own routes. Every handler
 * finds the repository through `findViewedRepository`, which hides those that the viewer may not see.
 */
import { randomUUID } from 'node:crypto'

import { Hono, type Context } from 'hono'
import { TrieRouter } from 'hono/router/trie-router'

import type { Deps } from '../operations/deps.ts'
import { acceptsGzip } from '../domain/accepts-gzip.ts'
import { runForClient } from '../base/client-signal.ts'
import { addAccountRoutes } from './account/routes.ts'
import { addAdminRoutes } from './admin/routes.ts'
import { answerError } from './shell/errors/answer-error.ts'
import { findAsset, mark } from './assets/assets.ts'
import { sendSpellingAsset, spellingRoute } from './assets/spelling-assets.ts'
import { editorLibraryRoute, sendEditorModule } from './assets/editor-library.ts'
import { addDocsRoutes } from './docs/routes.ts'
import { guardSignInHost } from './shell/guard-sign-in-host.ts'
import { guardPrivateHost } from './shell/guard-private-host.ts'
import { NotFound } from './session/errors.ts'
import { sendAvatar } from './account/send-avatar.ts'
import { showNotFound } from './shell/errors/error-pages.ts'
import { redirectInvalidUtf8 } from './shell/errors/redirect-invalid-utf8.ts'
import { createRedirectFromForm } from './shell/errors/redirect-from-form.ts'
import { addEditRoutes } from './edit/routes.ts'
import { addOidcRoutes } from './account/oidc-routes.ts'
import { addBuildRoutes } from './builds/routes.ts'
import { addPdfRoutes } from './pdf/routes.ts'
import { addExportRoutes } from './export/routes.ts'
import { addFileRoutes } from './files/routes.ts'
import { addHistoryRoutes } from './history/routes.ts'
import { addRestoreRoutes } from './restore/routes.ts'
import { addHomeRoutes } from './home/routes.ts'
import { addImportRoutes } from './import/routes.ts'
import { addSearchRoutes } from './search/routes.ts'
import { addShareRoutes } from './share/routes.ts'
import { addRepositoryRoutes } from './repository/routes.ts'
import { pathForLog } from './shell/errors/answer-error.ts'
import { headLength } from './shell/response/head-length.ts'
import { securityHeaders } from './shell/response/security-headers.ts'
import { readClientAddress } from './session/client.ts'
import { createRequestLimits, limitExpensivePages } from './session/limit-requests.ts'
import { guardForms } from './session/form.ts'
import { limitFormMemory } from './session/form-memory.ts'
import { readSession } from './session/session.ts'
import { addPeopleRoutes } from './people/routes.ts'
import { addSettingsRoutes } from './settings/routes.ts'
import { addWebhookRoutes } from './webhooks/routes.ts'

interface Variables {
  /** Request id, which is also in a response header and in the log. */
  requestId: string
}

const REQUEST_ID = 'x-service-request-id'

/** Creates the app for all requests except those for the API, git and the compile service. */
export function createWebApp(deps: Deps): Hono<{ Variables: Variables }> {
  // By default, Hono tries another router first, during the first request, and finds that it cannot express these routes.
  const app = new Hono<{ Variables: Variables }>({ router: new TrieRouter() })
  const limits = createRequestLimits(deps)
  app.use(async (c, next) => {
    const startedAt = performance.now()
    const requestId = randomUUID()
    c.set('requestId', requestId)
    await next()
    c.res.headers.set(REQUEST_ID, requestId)
    deps.log.info({
      component: 'web',
      request_id: requestId,
      method: c.req.method,
      path: pathForLog(c),
      status: c.res.status,
      duration_ms: Math.round(performance.now() - startedAt),
    })
  })
  app.use((c, next) => runForClient(c.req.raw.signal, next))
  app.use(securityHeaders)
  app.use(readClientAddress(deps.config))
  app.use(readSession(deps))
  app.use(guardSignInHost(deps))
  app.use(guardPrivateHost(deps))
  app.use(limitFormMemory())
  app.use(guardForms(deps))
  app.use(limitExpensivePages(limits))
  app.use(redirectInvalidUtf8)

  app.get('/favicon.ico', (c) => c.redirect(mark.path))
  app.get('/robots.txt', (c) => c.text('User-agent: *\nDisallow:\n'))
  app.get('/assets/:file', (c) => sendAsset(c))
  app.get(spellingRoute, (c) => sendSpellingAsset(c))
  app.get(editorLibraryRoute, (c) => sendEditorModule(c))
  app.get('/assets/avatars/:id', (c) => sendAvatar(c, deps))
  // Fixed addresses precede `/:owner` and `/:owner/:repo`, which also match them.
  addAccountRoutes(app, deps)
  addOidcRoutes(app, deps)
  addSettingsRoutes(app, deps)
  addPeopleRoutes(app, deps)
  addDocsRoutes(app, deps)
  addAdminRoutes(app, deps)
  addSearchRoutes(app, deps)
  addShareRoutes(app, deps)
  addPdfRoutes(app, deps)
  // The clone URL, opened in a browser.
  app.get('/:owner/:repo{[^/]+\\.git}', (c) => c.redirect(pagesOf(c)))
  addRepositoryRoutes(app, deps)
  addWebhookRoutes(app, deps)
  addImportRoutes(app, deps)
  addExportRoutes(app, deps)
  addEditRoutes(app, deps)
  addBuildRoutes(app, { ...deps, limits })
  addHistoryRoutes(app, deps)
  addRestoreRoutes(app, deps)
  addFileRoutes(app, { ...deps, limits })
  addHomeRoutes(app, deps)

  const redirectFromForm = createRedirectFromForm(app.routes)
  app.notFound((c) => redirectFromForm(c) ?? showNotFound(c))
  app.onError((error, c) => answerError(error, c, { ...deps, requestId: c.get('requestId') }))
  return app
}

/** Escaped again: with a decoded `\\` at the start, browsers would redirect to another host. */
function pagesOf(c: Context): string {
  const name = c.req.param('repo')?.replace(/\.git$/, '') ?? ''
  return `/${encodeURIComponent(c.req.param('owner') ?? '')}/${encodeURIComponent(name)}`
}

function sendAsset(c: Context): Response {
  const asset = findAsset(c.req.path)
  if (asset === null) throw new NotFound()
  const packed = acceptsGzip(c.req.header('accept-encoding')) ? asset.packed() : null
  const bytes = packed ?? asset.bytes
  return c.body(bytes, 200, {
    ...headLength(c, bytes),
    'content-type': asset.contentType,
    'cache-control': 'public, max-age=31536000, immutable',
    ...(packed !== null ? { 'content-encoding': 'gzip' } : {}),
  })
}
