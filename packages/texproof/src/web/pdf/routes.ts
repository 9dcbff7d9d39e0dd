import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../../operations/deps.ts'
import { pdfAssetRoute, sendPdfAsset } from '../assets/pdf-assets.ts'
import { sendBadge } from './badge.ts'
import { redirectToDefaultPdf, showPdf } from './pdf.ts'
import { sendPicture } from './picture.ts'
import { showSynctex } from './synctex.ts'
import { showWordCount } from './word-count.ts'

/** PDFs, images of their pages, and status badges. */
export function addPdfRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get(pdfAssetRoute, (c: Context) => sendPdfAsset(c))
  app.get('/:owner/:repo/pdf', (c: Context) => redirectToDefaultPdf(c, deps))
  app.get('/:owner/:repo/pdf/:rest{[^]+}', (c: Context) => showPdf(c, deps))
  app.get('/:owner/:repo/synctex/:rest{[^]+}', (c: Context) => showSynctex(c, deps))
  app.get('/:owner/:repo/words/:rest{[^]+}', (c: Context) => showWordCount(c, deps))
  app.get('/:owner/:repo/picture/:rest{[^]+}', (c: Context) => sendPicture(c, deps))
  app.get('/:owner/:repo/badge/:rest{[^]+}', (c: Context) => sendBadge(c, deps))
}
