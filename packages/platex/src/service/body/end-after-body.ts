/**
 * Keeps the connection of a refused request open until its client has sent the body. A server that closes a connection
 * with unread data resets it, and a client that is still sending then loses the response.
 */

/** The largest body that is refused by default is a little larger than 44 MB. */
const MAX_DROPPED_BYTES = 64 * 1024 * 1024
const MAX_DROPPING_MS = 10_000
/** A client that waits for an answer before it sends the body never sends it. */
const MAX_SILENCE_MS = 2_000
/** The time to send the headers. */
const DELAY_MS = 50

/**
 * The response, which is sent at once but ends only when the rest of the request's body is read and dropped, or exceeds
 * a limit. Unchanged if the body has been read.
 */
export async function endAfterBody(response: Response, request: Request): Promise<Response> {
  if (isRead(request)) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  // The client need not wait for the end.
  headers.set('Content-Length', String(bytes.length))
  const cancelled = new AbortController()
  const held = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(bytes),
    pull: async (controller) => {
      const waits = request.headers.has('expect')
      // Before the headers, a read would ask the client to send the body.
      if (waits) await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
      await drop(request, { maxSilenceMs: waits ? MAX_SILENCE_MS : MAX_DROPPING_MS, signal: cancelled.signal })
      if (!cancelled.signal.aborted) controller.close()
    },
    cancel: () => cancelled.abort(),
  })
  return new Response(held, { status: response.status, headers })
}

/**
 * Whether the body has been read to its end, or there is none. A body that nobody has read is not touched: that would ask a
 * client that has sent `Expect: 100-continue` to send it.
 */
function isRead(request: Request): boolean {
  const { bodyUsed, headers } = request
  if (bodyUsed) return request.body?.locked ?? true
  return !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0
}

async function drop(
  { body }: Request,
  { maxSilenceMs, signal }: { readonly maxSilenceMs: number; readonly signal: AbortSignal },
): Promise<void> {
  if (body === null || body.locked || signal.aborted) return
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {}) // The client has disconnected.
  signal.addEventListener('abort', stop)
  const endsAt = performance.now() + MAX_DROPPING_MS
  try {
    for (let bytes = 0; bytes <= MAX_DROPPED_BYTES && performance.now() < endsAt;) {
      const timer = setTimeout(stop, Math.min(maxSilenceMs, endsAt - performance.now()))
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      bytes += value.byteLength
    }
  } catch {
    // The client has disconnected.
  }
}
