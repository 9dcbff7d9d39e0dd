import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { postReplaceShareLink, postRevokeShareLink, postShareLink, showShareSettings } from './share-settings.ts'
import { sendSharedPdf, sendSharedPicture, showShare } from './share.ts'

/** PDFs for readers without an account. */
export function addShareRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get('/s/:token', (c: Context) => showShare(c, deps))
  app.get('/s/:token/paper.pdf', (c: Context) => sendSharedPdf(c, deps))
  app.get('/s/:token/picture.png', (c: Context) => sendSharedPicture(c, deps))
  app.get('/:owner/:repo/settings/share', (c: Context) => showShareSettings(c, deps))
  app.post('/:owner/:repo/settings/share', (c: Context) => postShareLink(c, deps))
  app.post('/:owner/:repo/settings/share/:id/replace', (c: Context) => postReplaceShareLink(c, deps))
  app.post('/:owner/:repo/settings/share/:id/revoke', (c: Context) => postRevokeShareLink(c, deps))
}
