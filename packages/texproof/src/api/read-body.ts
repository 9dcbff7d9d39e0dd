import type { IncomingMessage } from 'node:http'

import { bodyTooLarge, notAnObject } from './api-error.ts'

/** Source: REST specification §8. */
const maxBodyBytes = 1_048_576

/**
 * Reads a body that is one JSON object, whatever its content type, as a map of its own members, so that `__proto__` is
 * harmless.
 *
 * @throws ApiError 413 over 1 MiB, 400 if it is not a JSON object in UTF-8.
 */
export async function readJsonObject(request: IncomingMessage): Promise<ReadonlyMap<string, unknown>> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBodyBytes) throw bodyTooLarge()
  return parseJsonObject(await readAll(request))
}

/** Collects without `for await`, which would destroy the request, and with it the response, on an early stop. */
function readAll(request: IncomingMessage): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let byteCount = 0
  function collect(chunk: Buffer): void {
    byteCount += chunk.length
    if (byteCount <= maxBodyBytes) chunks.push(chunk)
    else settle(() => reject(bodyTooLarge()))
  }
  function settle(how: () => void): void {
    request.off('data', collect)
    how()
  }
  request.on('data', collect)
  request.once('end', () => settle(() => resolve(Buffer.concat(chunks))))
  // A truncated body is not a JSON object either, and its client has disconnected.
  request.once('close', () => settle(() => reject(notAnObject())))
  request.once('error', () => settle(() => reject(notAnObject())))
  return promise
}

/** Parses the bytes; a byte order mark is not JSON. */
function parseJsonObject(bytes: Uint8Array): ReadonlyMap<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    // Invalid UTF-8 and invalid JSON get the same response.
    throw notAnObject()
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notAnObject()
  return new Map(Object.entries(value))
}
