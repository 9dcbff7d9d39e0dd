/**
 * The routes of the preview.
 *
 * Requests must name this machine in `Host`, so that no page of another site can read the document by DNS rebinding.
 */
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'

import { findAsset } from '../../../web/assets/assets.ts'
import { NotFound } from '../../../web/session/errors.ts'
import { pdfAssetRoute, sendPdfAsset } from '../../../web/assets/pdf-assets.ts'
import { PDF_POLICY, securityHeaders } from '../../../web/shell/response/security-headers.ts'
import { previewPage, previewPanel, previewPdfPath } from './preview-page.ts'
import type { PreviewState } from './preview-state.ts'

/** State of the preview. */
export interface PreviewSource {
  current(): PreviewState
  /** Resolves after the next change, or when `signal` aborts. */
  changed(signal: AbortSignal): Promise<void>
  /** Aborted when the preview ends. */
  readonly end: AbortSignal
  /** Whether a `Host` header names this machine. */
  readonly isOwnName: (host: string) => boolean
}

/** Creates the app of one preview. */
export function createPreviewApp(source: PreviewSource): Hono {
  const app = new Hono()
  app.use(securityHeaders)
  app.use(async (c, next) => {
    if (!source.isOwnName(new URL(c.req.url).hostname)) return c.text('Unknown host name.', 421)
    return next()
  })
  app.get('/', (c) => c.html(previewPage(source.current())))
  app.get('/panel', (c) => c.html(previewPanel(source.current())))
  // Every number returns the newest PDF.
  app.get('/:paper{paper-[0-9]+\\.pdf}', (c) => sendNewest(c, source.current()))
  app.get('/events', (c) => streamSSE(c, (stream) => streamChanges(source, stream)))
  app.get(pdfAssetRoute, (c: Context) => sendPdfAsset(c))
  app.get('/assets/:file', (c) => {
    const asset = findAsset(c.req.path)
    if (asset === null) return c.notFound()
    return c.body(asset.bytes, 200, {
      'content-type': asset.contentType,
      'cache-control': 'max-age=31536000, immutable',
    })
  })
  app.onError((error, c) => {
    if (error instanceof NotFound) return c.notFound()
    throw error
  })
  app.notFound((c) => c.text('Not found. The preview is at /', 404))
  return app
}

function sendNewest(c: Context, { pdf }: PreviewState): Response | Promise<Response> {
  if (pdf === null) return c.notFound()
  c.header('content-security-policy', PDF_POLICY)
  return c.body(new Uint8Array(pdf), 200, { 'content-type': 'application/pdf', 'cache-control': 'no-store' })
}

interface EventStream {
  onAbort(listener: () => void): void
  writeSSE(event: { readonly event: string; readonly data: string }): Promise<void>
}

/** Each event names the newest PDF; the page then fetches it. */
async function streamChanges(source: PreviewSource, stream: EventStream): Promise<void> {
  const gone = new AbortController()
  stream.onAbort(() => gone.abort())
  const over = AbortSignal.any([gone.signal, source.end])
  while (!over.aborted) {
    const { title, pdfNumber } = source.current()
    const file = pdfNumber === 0 ? null : previewPdfPath(pdfNumber)
    const changed = source.changed(over)
    await stream.writeSSE({ event: 'state', data: JSON.stringify({ title, file }) })
    await changed
  }
}
