/**
 * Limits requests that cost much: by address for strangers, by user for people who are signed in, who may ask for far
 * more. Strangers share few turns of their own, so however many they are, a signed-in user finds the host at work for them.
 */
import type { Context, MiddlewareHandler } from 'hono'

import { networkOf } from '../../accounts/session/network-of.ts'
import { createRateLimiter, type RateLimiterRule } from '../../base/rate-limiter.ts'
import type { Deps } from '../../operations/deps.ts'
import { TooManyRequests } from './errors.ts'
import { findCaller } from './find-caller.ts'
import { clientOf } from './client.ts'

/** Admits requests of one kind. */
export interface RequestLimit {
  /** Takes a turn; call the answer to give it up. @throws TooManyRequests */
  enter(c: Context): Promise<() => void>
}

/** The limits of a host, each for requests of one kind. */
export interface RequestLimits {
  /** Pages and files that git or a parser works for. */
  readonly pages: RequestLimit
  /** Archives: each is a process that packs for as long as its reader takes. */
  readonly archives: RequestLimit
  /** Large files: each is a process for as long as its reader takes. */
  readonly files: RequestLimit
  /** Connections that are told of builds as they run. */
  readonly events: RequestLimit
}

/** Requests to build are a form, all others are read. */
const EXPENSIVE = {
  GET: /^\/[^/]+\/[^/]+\/(?:search$|(?:find|blame|compare|commit|commits|archive)\/)|^\/search$/,
  POST: /^\/[^/]+\/[^/]+\/builds$/,
}
const WAIT_MS = 5_000

/** Makes the limits of a host. */
export function createRequestLimits({ config, store }: Pick<Deps, 'config' | 'store'>): RequestLimits {
  const { anonymousPerMinute, signedInPerMinute } = config.limits
  const limit = (
    strangers: Omit<RateLimiterRule, 'perMinute'>,
    people: Omit<RateLimiterRule, 'perMinute'>,
  ): RequestLimit => {
    const anonymous = createRateLimiter({ ...strangers, perMinute: anonymousPerMinute })
    const signedIn = createRateLimiter({ ...people, perMinute: signedInPerMinute })
    return {
      async enter(c) {
        const caller = await findCaller(c, store)
        const admission =
          caller === null ? await anonymous.enter(networkOf(clientOf(c).address)) : await signedIn.enter(caller.user.id)
        if (admission.kind === 'refused') throw new TooManyRequests(admission.retryAfterS)
        return admission.leave
      },
    }
  }
  return {
    pages: limit(
      { atOncePerKey: 8, atOnce: 16, waitMs: WAIT_MS },
      { atOncePerKey: 16, atOnce: 128, waitMs: 2 * WAIT_MS },
    ),
    archives: limit({ atOncePerKey: 4, atOnce: 8, waitMs: 0 }, { atOncePerKey: 4, atOnce: 16, waitMs: 0 }),
    files: limit({ atOncePerKey: 12, atOnce: 24, waitMs: 0 }, { atOncePerKey: 12, atOnce: 48, waitMs: 0 }),
    events: limit({ atOncePerKey: 12, atOnce: 200, waitMs: 0 }, { atOncePerKey: 50, atOnce: 1_000, waitMs: 0 }),
  }
}

/** Limits the expensive pages; what they send afterwards, as a stream, has limits of its own. */
export function limitExpensivePages({ pages }: RequestLimits): MiddlewareHandler {
  return async (c, next) => {
    const pattern = c.req.method === 'POST' ? EXPENSIVE.POST : EXPENSIVE.GET
    if (!pattern.test(c.req.path)) return next()
    const leave = await pages.enter(c)
    try {
      return await next()
    } finally {
      leave()
    }
  }
}
