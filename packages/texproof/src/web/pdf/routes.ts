import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { pdfAssetRoute, sendPdfAsset } from '../assets/pdf-assets.ts'
import { postRevokeShareLink, postShareLink, showShareSettings } from '../share/share-settings.ts'
import { showSynctex } from './synctex.ts'
import { sendSharedPdf, sendSharedPicture, showShare } from '../share/share.ts'

/** What the PDF page needs beside itself, and PDFs for readers without an account. */
export function addPdfRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get(pdfAssetRoute, (c: Context) => sendPdfAsset(c))
  app.get('/:owner/:repo/synctex/:rest{[^]+}', (c: Context) => showSynctex(c, deps))
  app.get('/s/:token', (c: Context) => showShare(c, deps))
  app.get('/s/:token/paper.pdf', (c: Context) => sendSharedPdf(c, deps))
  app.get('/s/:token/picture.png', (c: Context) => sendSharedPicture(c, deps))
  app.get('/:owner/:repo/settings/share', (c: Context) => showShareSettings(c, deps))
  app.post('/:owner/:repo/settings/share', (c: Context) => postShareLink(c, deps))
  app.post('/:owner/:repo/settings/share/:id/revoke', (c: Context) => postRevokeShareLink(c, deps))
}
