import type { Readable } from 'node:stream'

import { findQuotas } from '../../accounts/users/find-quotas.ts'
import type { PushCommands } from '../../git/protocol/read-push-commands.ts'
import { KEEP_ALIVE } from '../../git/protocol/side-band.ts'
import type { OpenExchange } from '../exchange.ts'
import { keepAliveUntil } from '../keep-alive-until.ts'
import type { PushDeps } from './types.ts'

/** How much of a body is read while the push is queued: once all of it has arrived, keep-alives can be sent. */
const READ_AHEAD_BYTES = 1024 * 1024

/** A push that has a slot. */
export interface Turn {
  /** Releases the slot. */
  readonly leave: () => void
  readonly body: AsyncIterable<Uint8Array>
}

/** Waits for the user's other pushes. */
export async function* waitForTurn(
  { config, store, pushes, keepAliveMs }: PushDeps,
  exchange: OpenExchange,
  { push: { sideBand }, body }: { readonly push: PushCommands; readonly body: Readable },
): AsyncGenerator<Uint8Array, Turn> {
  const userId = exchange.caller?.user.id ?? ''
  const { concurrentPushes } = await findQuotas({ config, store }, userId)
  const turn = pushes.enter(userId, { signal: exchange.signal, atOncePerKey: concurrentPushes })
  let hasTurn = false
  try {
    const stopReading = readAhead(body)
    for await (const _ of keepAliveUntil(turn, keepAliveMs)) {
      exchange.stayOpen()
      if (sideBand !== null) yield KEEP_ALIVE
    }
    const leave = await turn
    hasTurn = true
    return { leave, body: stopReading() }
  } finally {
    // The client has disconnected: the slot is released as soon as it is assigned.
    if (!hasTurn) void turn.then((leave) => leave()).catch(() => {})
  }
}

/** Reads the start of a stream; returns a function that stops this and returns the whole stream. */
function readAhead(body: Readable): () => AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = []
  let byteCount = 0
  const keep = (chunk: Uint8Array): void => {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount >= READ_AHEAD_BYTES) body.pause()
  }
  body.on('data', keep)
  return () => {
    body.off('data', keep).pause()
    return prepend(chunks, body)
  }
}

async function* prepend<Item>(first: Iterable<Item>, rest: AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* first
  yield* rest
}
