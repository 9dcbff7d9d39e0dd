/**
 * `POST /compile` as server-sent events: `progress` while TeX runs, then one `result` or `error`.
 *
 * The status is sent before the compile ends, so all checks that reject a request run before.
 */
import type { CompileProgress, CompileResult } from '../base/types.ts'
import { reportFault, type ServiceRequest } from './answer.ts'
import { countResult, piecesOf, tooSlow } from './body/counted-body.ts'
import { presentAnyResult } from './body/large-bodies.ts'

/** Maximum buffer for a client that reads slowly. Beyond it, page events are dropped. */
const BUFFER_BYTES = 64 * 1024
/** Proxies close idle connections, most of them after a minute. */
const HEARTBEAT_MS = 15_000

/** The connection between a compile and its event stream. */
export interface StreamListener {
  readonly onProgress: (progress: CompileProgress) => void
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
}

/** Runs `compile` and reports it as an event stream. */
export function streamCompile(
  serviceRequest: ServiceRequest,
  compile: (listener: StreamListener) => Promise<CompileResult>,
): Response {
  const gone = new AbortController()
  let room = Promise.withResolvers<undefined>()
  const stop = (reason: unknown): void => {
    gone.abort(reason)
    room.resolve(undefined)
  }
  const waitForRoom = async (): Promise<void> => {
    room = Promise.withResolvers()
    await room.promise
  }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) =>
        void sendEvents(controller, { serviceRequest, compile, signal: gone.signal, stop, waitForRoom }),
      pull: () => room.resolve(undefined),
      cancel: stop,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFER_BYTES }),
  )
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept, Accept-Encoding',
      'X-Accel-Buffering': 'no', // nginx would buffer the events.
    },
  })
}

interface EventSource {
  readonly serviceRequest: ServiceRequest
  readonly compile: (listener: StreamListener) => Promise<CompileResult>
  /** Aborted when the client disconnects, or reads too slowly. */
  readonly signal: AbortSignal
  readonly stop: (reason: unknown) => void
  /** Resolves when the client has read what was sent, or the signal is aborted. */
  readonly waitForRoom: () => Promise<void>
}

async function sendEvents(
  controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  { serviceRequest, compile, signal, stop, waitForRoom }: EventSource,
): Promise<void> {
  const encoder = new TextEncoder()
  const sendBytes = (bytes: Uint8Array<ArrayBuffer>): void => {
    if (!signal.aborted) controller.enqueue(bytes)
  }
  const send = (text: string): void => sendBytes(encoder.encode(text))
  const hasRoom = (): boolean => (controller.desiredSize ?? 0) > 0
  let release = (): void => {}
  const endLate = (): void => {
    stop(tooSlow())
    controller.error(signal.reason)
  }
  const heartbeat = setInterval(() => hasRoom() && send(':\n\n'), HEARTBEAT_MS)
  const onProgress = (progress: CompileProgress): void => {
    // Only page events are dropped: there are few passes, but a document can ship pages endlessly.
    if (progress.kind !== 'page' || hasRoom()) send(`event: progress\ndata: ${JSON.stringify(progress)}\n\n`)
  }
  try {
    const json = await presentAnyResult(await compile({ onProgress, signal }))
    clearInterval(heartbeat) // It would interrupt the result.
    release = countResult(json.length, serviceRequest.service.resultBudget, endLate)
    send('event: result\ndata: ')
    for (const piece of piecesOf(typeof json === 'string' ? encoder.encode(json) : json)) {
      if (!hasRoom() && !signal.aborted) await waitForRoom()
      sendBytes(piece)
    }
    send('\n\n')
  } catch (error) {
    const { status, message, code } = reportFault(error, serviceRequest)
    send(`event: error\ndata: ${JSON.stringify({ status, error: message, code })}\n\n`)
  } finally {
    clearInterval(heartbeat)
    release()
    if (!signal.aborted) controller.close()
  }
}
