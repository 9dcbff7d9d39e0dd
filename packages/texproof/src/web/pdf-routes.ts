import type { Context, Env, Hono } from 'hono'

import type { Deps } from '../deps.ts'
import { pdfAssetRoute, sendPdfAsset } from './pdf-assets.ts'
import { showSynctex } from './pages/pdf-source.ts'

/** What the PDF page needs beside itself. */
export function addPdfRoutes<E extends Env>(app: Hono<E>, deps: Deps): void {
  app.get(pdfAssetRoute, (c: Context) => sendPdfAsset(c))
  app.get('/:owner/:repo/synctex/:rest{.+}', (c: Context) => showSynctex(c, deps))
}
