/**
 * The preview's few addresses.
 *
 * A page of another site must not read the document through the browser of its author: whoever asks under a name that
 * is not this machine's is refused, which is what a name that leads here by somebody else's DNS would be.
 */
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'

import { findAsset } from '../../../web/assets/assets.ts'
import { NotFound } from '../../../web/session/errors.ts'
import { pdfAssetRoute, sendPdfAsset } from '../../../web/assets/pdf-assets.ts'
import { PDF_POLICY, securityHeaders } from '../../../web/shell/response/security-headers.ts'
import { previewPage, previewPanel, previewPdfPath } from './preview-page.ts'
import type { PreviewState } from './preview-state.ts'

/** Where the app gets its state from. */
export interface PreviewSource {
  current(): PreviewState
  /** Resolves after the next change, or when `signal` fires. */
  changed(signal: AbortSignal): Promise<void>
  /** Fires when the preview ends. */
  readonly end: AbortSignal
  /** Whether a request under this `Host` is meant for this machine. */
  readonly isOwnName: (host: string) => boolean
}

/** Makes the app of one preview. */
export function createPreviewApp(source: PreviewSource): Hono {
  const app = new Hono()
  app.use(securityHeaders)
  app.use(async (c, next) => {
    if (!source.isOwnName(new URL(c.req.url).hostname)) return c.text('This is not a name of this machine.', 421)
    return next()
  })
  app.get('/', (c) => c.html(previewPage(source.current())))
  app.get('/panel', (c) => c.html(previewPanel(source.current())))
  // Whichever was asked for, the newest one is what the reader wants.
  app.get('/:paper{paper-[0-9]+\\.pdf}', (c) => sendNewest(c, source.current()))
  app.get('/events', (c) => streamSSE(c, (stream) => tellChanges(source, stream)))
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
  app.notFound((c) => c.text('There is nothing here. The preview is at /', 404))
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

/** Each event says which PDF is the newest; the page asks for what it shows. */
async function tellChanges(source: PreviewSource, stream: EventStream): Promise<void> {
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
