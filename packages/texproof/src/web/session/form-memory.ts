/**
 * Limits the memory of forms. Their bodies are held until they are answered, and a client may take minutes to send one: without
 * a limit, a thousand connections that each send most of a form would use gigabytes.
 */
import type { Context, MiddlewareHandler } from 'hono'

import { networkOf } from '../../accounts/session/network-of.ts'
import { createByteBudget } from '../../base/http/byte-budget.ts'
import { clientOf } from './client.ts'
import { TooManyRequests } from './errors.ts'
import { viewerOf } from './viewer.ts'

const MIB = 1024 * 1024
/** Four of the largest forms of a network, and 32 in total. */
const ANONYMOUS = { perKey: 8 * MIB, total: 64 * MIB }
/** Two of the largest uploads of a user, and 16 in total. */
const SIGNED_IN = { perKey: 52 * MIB, total: 416 * MIB }
const RETRY_AFTER_S = 5

type Hold = (bytes: number) => void

/** Releases the memory that `holdForm` counts when the request is answered. */
export function limitFormMemory(): MiddlewareHandler {
  const anonymous = createByteBudget(ANONYMOUS)
  const signedIn = createByteBudget(SIGNED_IN)
  return async (c, next) => {
    const held: (() => void)[] = []
    const hold: Hold = (bytes) => {
      const userId = viewerOf(c)?.id ?? null
      const release =
        userId === null ? anonymous.take(networkOf(clientOf(c).address), bytes) : signedIn.take(userId, bytes)
      if (release === null) throw new TooManyRequests(RETRY_AFTER_S)
      held.push(release)
    }
    c.set('holdForm', hold)
    try {
      await next()
    } finally {
      for (const release of held) release()
    }
  }
}

/**
 * Counts the memory of a form that is about to be read.
 *
 * @throws TooManyRequests
 */
export function holdForm(c: Context, bytes: number): void {
  const hold = c.get('holdForm') as Hold
  hold(bytes)
}
