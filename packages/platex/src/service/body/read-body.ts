/**
 * Reads a request body without trusting its size.
 *
 * A declared `Content-Length` is checked at once. Otherwise bytes are counted as they arrive, before they are stored,
 * and again after decompression, so that neither an endless stream nor a compression bomb costs more than the limit.
 */
import type { ResolvedLimits } from '../../options/check-limits.ts'
import { RequestFault } from '../wire/request-fault.ts'

export interface ReadBodyOptions {
  /** Inclusive limit for the body, compressed and decompressed. */
  readonly maxBytes: number
  /** Called with the size of each chunk before it is stored; may throw to stop. */
  readonly onPiece?: (bytes: number) => void
}

/**
 * Rejects requests whose headers show an unknown encoding or a length over the limit.
 *
 * @throws RequestFault 415 or 413
 */
export function checkBodyHeaders(headers: Headers, maxBytes: number): void {
  if (!['', 'identity', 'gzip', 'x-gzip'].includes(encodingOf(headers))) {
    throw new RequestFault('Content-Encoding must be gzip or identity.', {
      status: 415,
      code: 'unsupported_media_type',
      headers: { 'Accept-Encoding': 'gzip, identity', Connection: 'close' },
    })
  }
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/**
 * Reads and decompresses the whole body. After a failure, the rest can be read by others.
 *
 * @throws RequestFault 413 over the limit, 400 for an invalid gzip stream or a broken connection.
 */
export async function readBody(request: Request, options: ReadBodyOptions): Promise<Uint8Array<ArrayBuffer>> {
  checkBodyHeaders(request.headers, options.maxBytes)
  if (request.body === null) return new Uint8Array()
  const isCompressed = encodingOf(request.headers).endsWith('gzip')
  const source = request.body.getReader()
  const reader = isCompressed ? inflate(source, options.maxBytes).getReader() : source
  try {
    return await collect(reader, options)
  } catch (error) {
    if (isCompressed) await reader.cancel(error).catch(() => {}) // The stream has already failed.
    source.releaseLock()
    if (!isCompressed || hasFault(error) || request.signal.aborted) throw error
    throw new RequestFault('The body is not valid gzip data.', { status: 400, code: 'invalid_request', cause: error })
  }
}

async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  options: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = []
  let total = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    total += value.byteLength
    if (total > options.maxBytes) throw tooLarge(options.maxBytes)
    options.onPiece?.(value.byteLength)
    pieces.push(value)
  }
  return concatenate(pieces, total)
}

function inflate(
  source: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let total = 0
  const counted = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await source.read()
      if (done) return controller.close()
      total += value.byteLength
      if (total > maxBytes) throw tooLarge(maxBytes)
      controller.enqueue(value)
    },
  })
  return counted.pipeThrough(new DecompressionStream('gzip'))
}

function concatenate(pieces: readonly Uint8Array<ArrayBuffer>[], total: number): Uint8Array<ArrayBuffer> {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) return only
  const whole = new Uint8Array(total)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.byteLength
  }
  return whole
}

function encodingOf(headers: Headers): string {
  return (headers.get('content-encoding') ?? '').trim().toLowerCase()
}

function hasFault(error: unknown): boolean {
  return error instanceof RequestFault
}

function tooLarge(maxBytes: number): RequestFault {
  return new RequestFault(`The request body is larger than ${maxBytes} bytes.`, {
    status: 413,
    code: 'payload_too_large',
    headers: { Connection: 'close' },
  })
}

/**
 * The smallest body limit that admits every request within `limits`: base64 adds a third to files, JSON escapes may
 * double the source, and one MiB is for names and keys. 44,381,910 with the default limits.
 */
export function defaultMaxBodyBytes(limits: ResolvedLimits): number {
  return Math.ceil((limits.maxTotalFilesBytes * 4) / 3) + 2 * limits.maxSourceBytes + 1024 * 1024
}
