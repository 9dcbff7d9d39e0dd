import type { IncomingMessage } from 'node:http'

import { createByteBudget } from '../base/http/byte-budget.ts'
import type { Parsers } from '../base/open-parsers.ts'
import { defineTask } from '../base/thread-task.ts'
import { bodyTooLarge, notAnObject } from './api-error.ts'

/** Source: REST specification §8. */
const maxBodyBytes = 1_048_576
/** Parsed on the main thread, in a few milliseconds; a crafted body of 1 MiB takes 200. */
const maxBytesHere = 64 * 1024
/** The time is linear in the size, so only a busy machine needs more than a second. */
const PARSE_LIMIT_MS = 30_000

const PARSE = defineTask<typeof parseMembers>(import.meta.url, 'parseMembers')

/** Input of the parser. */
interface MembersInput {
  readonly bytes: Uint8Array
  /** Members that the handler reads; all others are ignored. */
  readonly names: readonly string[]
}

/** Name → value. Objects and arrays are empty: no member of the API is one. */
type Members = ReadonlyMap<string, unknown>

/** Bodies over 64 KB, which no program sends on purpose: a caller holds at most 8, and all callers 64. */
const memory = createByteBudget({ perKey: 8 * maxBodyBytes, total: 64 * maxBodyBytes })

/** Too many large bodies at once. */
class ParsersBusy extends Error {
  readonly code = 'PARSERS_BUSY'
}

/**
 * Reads the members that a handler needs from a body that is one JSON object, whatever its content type.
 *
 * @param names of the members
 * @throws ApiError 413 over 1 MiB, 400 if it is not a JSON object in UTF-8; ParsersBusy.
 */
export async function readMembers(
  request: IncomingMessage,
  names: readonly string[],
  { parsers, callerId }: { readonly parsers: Parsers; readonly callerId: string },
): Promise<Members> {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBodyBytes) throw bodyTooLarge()
  let release = (): void => {}
  const onLarge = (): void => {
    const taken = memory.take(callerId, maxBodyBytes)
    if (taken === null) throw new ParsersBusy('too many large bodies are arriving')
    release = taken
  }
  try {
    const bytes = await readAll(request, onLarge)
    const members =
      bytes.length <= maxBytesHere
        ? parseMembers({ bytes, names })
        : await parseInWorker({ bytes: Uint8Array.from(bytes), names }, { parsers, callerId })
    if (members === null) throw notAnObject()
    return members
  } finally {
    release()
  }
}

async function parseInWorker(
  input: { readonly bytes: Uint8Array<ArrayBuffer>; readonly names: readonly string[] },
  { parsers, callerId }: { readonly parsers: Parsers; readonly callerId: string },
): Promise<Members | null> {
  const outcome = await parsers.run(PARSE, input, {
    ownerId: callerId,
    transfer: [input.bytes.buffer],
    timeLimitMs: PARSE_LIMIT_MS,
  })
  if (outcome.kind === 'done') return outcome.value
  throw new ParsersBusy(`the body could not be parsed: ${outcome.kind}`)
}

/**
 * Collects without `for await`, which would destroy the request, and with it the response, on an early stop. `onLarge` is called
 * once for a large body, and may throw to stop.
 */
function readAll(request: IncomingMessage, onLarge: () => void): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let byteCount = 0
  function collect(chunk: Buffer): void {
    const wasLarge = byteCount > maxBytesHere
    byteCount += chunk.length
    try {
      if (byteCount > maxBodyBytes) throw bodyTooLarge()
      if (!wasLarge && byteCount > maxBytesHere) onLarge()
      chunks.push(chunk)
    } catch (error) {
      settle(() => reject(error))
    }
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

/**
 * Parses one JSON object in UTF-8 without a byte order mark, as a map of its own members, so that `__proto__` is harmless.
 *
 * @returns null for anything else
 */
export function parseMembers({ bytes, names }: MembersInput): Members | null {
  const value = parseJson(bytes)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const present = names.filter((name) => Object.hasOwn(value, name))
  return new Map(present.map((name) => [name, withoutContent((value as Readonly<Record<string, unknown>>)[name])]))
}

/** Null if it is invalid: invalid UTF-8 and invalid JSON get the same response. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    // Not a JSON object either.
    return null
  }
}

function withoutContent(value: unknown): unknown {
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}
