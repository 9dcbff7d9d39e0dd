/**
 * Limits expensive requests: by network address for anonymous clients, by user, and more generously, for signed-in
 * ones. Anonymous clients share a small number of slots, so they cannot block signed-in users.
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
  /** Waits for a slot; call the result to release it. @throws TooManyRequests */
  enter(c: Context): Promise<() => void>
}

/** The limits of a host, each for requests of one kind. */
export interface RequestLimits {
  /** Pages and files that need git or a parser. */
  readonly pages: RequestLimit
  /** Archives: each is a process that runs until its client has read it. */
  readonly archives: RequestLimit
  /** Large files: each is a process that runs until its client has read it. */
  readonly files: RequestLimit
  /** Event streams of builds. */
  readonly events: RequestLimit
}

/** Build requests are forms, all others are GET requests. */
const EXPENSIVE = {
  GET: /^\/[^/]+\/[^/]+\/(?:search$|(?:commits|compare)(?:\/|$)|(?:find|blame|commit|archive|live)\/)|^\/search$/,
  POST: /^\/[^/]+\/[^/]+\/builds$/,
}
const WAIT_MS = 5_000

/** Creates the limits of a host. */
export function createRequestLimits({ config, store }: Pick<Deps, 'config' | 'store'>): RequestLimits {
  const { anonymousPerMinute, signedInPerMinute } = config.limits
  const limit = (
    anonymousRule: Omit<RateLimiterRule, 'perMinute'>,
    signedInRule: Omit<RateLimiterRule, 'perMinute'>,
  ): RequestLimit => {
    const anonymous = createRateLimiter({ ...anonymousRule, perMinute: anonymousPerMinute })
    const signedIn = createRateLimiter({ ...signedInRule, perMinute: signedInPerMinute })
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

/** Limits expensive pages; streams that they send afterwards have their own limits. */
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
