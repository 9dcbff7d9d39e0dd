/**
 * Git over HTTP: exactly three requests, streamed between the client and git, behind one access check.
 *
 * Separate from the web pages: packs are gigabytes and need Node's own streams with back pressure, and a router that
 * decodes paths could alter ref names.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import { networkOf } from '../accounts/session/network-of.ts'
import { trustProxies, type FindClientAddress } from '../base/client-address.ts'
import { endAfterBody } from '../base/http/end-after-body.ts'
import { hasTwoAuthorizations } from '../base/http/has-two-authorizations.ts'
import { createLimiter, type Limiter } from '../base/limiter.ts'
import { runForClient } from '../base/client-signal.ts'
import { createPace } from '../base/pace.ts'
import { createRateLimiter } from '../base/rate-limiter.ts'
import type { Deps } from '../operations/deps.ts'
import type { Repository } from '../domain/types.ts'
import { createPushMemory, limitPushes, type PushMemory } from '../git/protocol/push-memory.ts'
import { authorize, type Admission } from './authorize.ts'
import { openExchange, type OpenExchange } from './exchange.ts'
import { findStoreBusy, isStoreOut } from '../store/sqlite/store-errors.ts'
import { HttpRefusal } from './http-refusal.ts'
import { keepAliveUntil } from './keep-alive-until.ts'
import { parseSmartHttpTarget, type SmartHttpTarget } from './parse-target.ts'
import { findCreator, createForPush, serveEmptyAdvertisement } from './push/push-to-create.ts'
import { serveAdvertisement, serveFetch } from './serve-fetch.ts'
import { servePush } from './push/serve-push.ts'
import type { PushDeps } from './push/types.ts'

export { isSmartHttpTarget } from './parse-target.ts'

const REQUEST_ID = 'x-service-request-id'
/** Anonymous clones and fetches: slow readers of a few networks leave room for others. */
const ANONYMOUS_FETCHES = { atOncePerKey: 8, atOnce: 32, forNewKeys: 8, waitMs: 10_000 }
/** Clones and fetches of signed-in users. Waiting ones are served round-robin by user. */
const MEMBER_FETCHES = { atOncePerKey: 8, atOnce: 64 }
/** An exchange ends after this time without traffic in either direction. */
const IDLE_TIMEOUT_MS = 60_000
/** Between two starts of git, to keep other responses fast. */
const START_GAP_MS = 5
/** The interval at which git itself keeps an idle connection open. */
const KEEP_ALIVE_MS = 5_000
/** Most time that a refused client may take to send the rest of its body. */
const DRAIN_MS = 4 * 60_000
/** Most time that a push waits for its PDF. */
const PATIENCE_MS = 10_000

/** Creates the listener for requests accepted by `isSmartHttpTarget`. */
export function createSmartHttpListener(
  deps: Deps,
  options: {
    readonly pushesPerUser?: number
    readonly pushMemory?: PushMemory
    readonly fetchesPerUser?: number
    readonly keepAliveMs?: number
    readonly idleTimeoutMs?: number
    readonly patienceMs?: number
  } = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  const pushLimits = limitPushes()
  const { pushesPerUser = pushLimits.atOncePerUser, fetchesPerUser = MEMBER_FETCHES.atOncePerKey } = options
  const { keepAliveMs = KEEP_ALIVE_MS, idleTimeoutMs = IDLE_TIMEOUT_MS, patienceMs = PATIENCE_MS } = options
  const { pushMemory = createPushMemory(pushLimits.largeAtOnce) } = options
  const pushes = createLimiter({ atOnce: pushLimits.atOnce, atOncePerKey: pushesPerUser })
  const pace = createPace(START_GAP_MS)
  const perMinute = deps.config.limits.anonymousPerMinute
  const fetches = createRateLimiter({ perMinute, ...ANONYMOUS_FETCHES })
  const memberFetches = createLimiter({ ...MEMBER_FETCHES, atOncePerKey: fetchesPerUser })
  const findClientAddress = trustProxies(deps.config.trustedProxies)
  return (request, response) => {
    const limits = { pushes, pushMemory, fetches, memberFetches, keepAliveMs, idleTimeoutMs, patienceMs }
    void listen({ ...deps, ...limits, pace, findClientAddress }, request, response)
  }
}

interface ListenerDeps extends PushDeps {
  readonly findClientAddress: FindClientAddress
  readonly memberFetches: Limiter
  readonly idleTimeoutMs: number
}

async function listen(deps: ListenerDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const startedAt = performance.now()
  const requestId = String(response.getHeader(REQUEST_ID) ?? randomUUID())
  response.setHeader(REQUEST_ID, requestId)
  const log = deps.log.child({ component: 'git', request_id: requestId })
  const target = parseSmartHttpTarget(request.method ?? '', request.url ?? '')
  try {
    if (target === null) throw new HttpRefusal(404, 'Not found.')
    // Neither of two is trusted.
    const authorization = hasTwoAuthorizations(request) ? '' : request.headers.authorization
    const guard = (): Promise<Admission> => authorize(deps, target, authorization)
    const findRefusal = (): Promise<HttpRefusal | null> => guard().then(() => null, refusalOf)
    const answered = { target, log, requestId, findRefusal, idleTimeoutMs: deps.idleTimeoutMs }
    const creator = await findCreator(deps, target, authorization)
    if (creator === null) {
      const { repository, caller } = await guard()
      const exchange = openExchange(request, response, { ...answered, caller })
      const leave = await enterFetch(deps, request, exchange)
      try {
        await serve(deps, exchange, repository)
      } finally {
        leave()
      }
    } else if (target.advertise) serveEmptyAdvertisement(response)
    else {
      const exchange = openExchange(request, response, { ...answered, caller: creator })
      const create = (): ReturnType<typeof createForPush> => createForPush(deps, creator, target)
      await servePush(deps, exchange, { owner: creator.user, find: () => runForClient(exchange.signal, create) })
    }
  } catch (error) {
    // A disconnected client is not an error. An outage is logged by work in the background, not with each request.
    if (!(error instanceof HttpRefusal) && !isStoreOut(error))
      log[response.destroyed ? 'info' : 'error']({ err: error }, 'git exchange')
    answerError(request, response, error)
  } finally {
    log.info(
      {
        ...describeTarget(target),
        status: response.statusCode,
        duration_ms: Math.round(performance.now() - startedAt),
      },
      'git request',
    )
  }
}

/**
 * Admits a clone or fetch; the returned function must be called at its end. Requests of signed-in users wait for a
 * slot, however long.
 *
 * @throws HttpRefusal 429 for anonymous clients; the abort reason if the client has disconnected.
 */
async function enterFetch(
  { fetches, memberFetches, findClientAddress, keepAliveMs }: ListenerDeps,
  request: IncomingMessage,
  { target, caller, signal, stayOpen }: Pick<OpenExchange, 'target' | 'caller' | 'signal' | 'stayOpen'>,
): Promise<() => void> {
  if (target.advertise || target.service !== 'upload-pack') return () => {}
  if (caller !== null) {
    const turn = memberFetches.enter(caller.user.id, { signal })
    for await (const _ of keepAliveUntil(turn, keepAliveMs)) stayOpen()
    return turn
  }
  const forwardedFor = request.headers['x-forwarded-for']
  const address = findClientAddress(request.socket.remoteAddress, [forwardedFor].flat().join(','))
  const admission = await fetches.enter(networkOf(address))
  if (admission.kind === 'admitted') return admission.leave
  const { retryAfterS } = admission
  throw new HttpRefusal(429, `Too many clones and fetches. Try again in ${retryAfterS} s, or sign in.`, { retryAfterS })
}

function serve(deps: PushDeps, exchange: OpenExchange, repository: Repository): Promise<void> {
  const { advertise, service } = exchange.target
  if (advertise) return serveAdvertisement(deps, { ...exchange, repository })
  if (service === 'upload-pack') return serveFetch(deps, { ...exchange, repository })
  return servePush(deps, exchange, {
    owner: repository.owner,
    find: async () => ({ repository, news: [], removeUnpushed: async () => {} }),
  })
}

/** Git prints a plain-text body after `remote: `, so every refusal is a readable sentence. */
function answerError(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy()
    return
  }
  const refusal = error instanceof HttpRefusal ? error : toRefusal(error, response)
  const { status, message, retryAfterS } = refusal
  if (retryAfterS !== null) response.setHeader('retry-after', String(retryAfterS))
  if (status === 401) response.setHeader('www-authenticate', 'Basic realm="Texproof", charset="UTF-8"')
  const text = `${message}\n`
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  endAfterBody(request, response, { text, maxMs: DRAIN_MS })
}

/** An unavailable database is a reason to try again, everything else an internal error. */
function toRefusal(error: unknown, response: ServerResponse): HttpRefusal {
  if (isStoreOut(error))
    return new HttpRefusal(503, 'The database is not available. Try again in 5 s.', { retryAfterS: 5 })
  if (findStoreBusy(error) !== null)
    return new HttpRefusal(503, 'The database is busy. Try again in 5 s.', { retryAfterS: 5 })
  return new HttpRefusal(500, `Internal error. Request ${String(response.getHeader(REQUEST_ID))}.`)
}

function refusalOf(error: unknown): HttpRefusal {
  if (error instanceof HttpRefusal) return error
  throw error
}

/** Fields for the log: the request, without credentials. */
function describeTarget(target: SmartHttpTarget | null): Record<string, string> {
  if (target === null) return { git: 'unknown request' }
  return {
    git: target.advertise ? `${target.service} refs` : target.service,
    repository: `${target.owner}/${target.name}`,
  }
}
