import type { Context, Env, Hono } from 'hono'

import { pdfAssetRoute, sendPdfAsset } from './pdf-assets.ts'

/** What the PDF page needs beside itself. */
export function addPdfRoutes<E extends Env>(app: Hono<E>): void {
  app.get(pdfAssetRoute, (c: Context) => sendPdfAsset(c))
}
