import { setTimeout as delay } from 'node:timers/promises'

import type { Logger } from 'pino'

import {
  MAX_BUNDLE_BYTES,
  MAX_POLL_MS,
  workerApiPrefix,
  workerIdHeader,
  type BuildJob,
  type WorkerReport,
} from '../domain/build/worker-protocol.ts'
import { packBundle, unpackBundle } from './bundle.ts'

const FIRST_PAUSE_MS = 500
const MAX_PAUSE_MS = 30_000
/** A result of 256 MB at 10 Mbit/s. */
const TRANSFER_MS = 240_000
const SHORT_MS = 15_000

/** The server does not accept the request. */
export class ServerRefused extends Error {
  override readonly name = 'ServerRefused'
  readonly code = 'SERVER_REFUSED'
  /** Whether every request would be refused: the server does not accept the key, or is none. */
  readonly isForAll: boolean

  constructor(message: string, { status }: { readonly status: number }) {
    super(message)
    this.isForAll = status === 401 || status === 404
  }
}

/** A job whose lease is lost: another worker has it, or it was cancelled. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  readonly code = 'LEASE_LOST'

  constructor() {
    super('the build was cancelled or taken over')
  }
}

type Body = string | Uint8Array<ArrayBuffer> | null

type Held = Pick<BuildJob, 'buildId' | 'attempt'>

/** Requests to the server. Those without `signal` are short; all but `renew` are repeated until they succeed. */
export interface ServerConnection {
  /** Waits for a job, as long as it takes. @throws ServerRefused, or the reason of the signal. */
  takeJob(report: () => WorkerReport, signal: AbortSignal): Promise<BuildJob>
  /** Says what the worker has found out about itself. One attempt. */
  introduce(report: WorkerReport): Promise<void>
  /** @throws LeaseLost, ServerRefused */
  fetchFiles(job: Held, blobIds: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>
  /** @throws LeaseLost, ServerRefused */
  fetchWarmStart(job: Held, signal: AbortSignal): Promise<ReadonlyMap<string, Uint8Array>>
  /** False if the lease is lost. @throws on network errors. */
  renew(job: Held, state: { readonly progress: string | null; readonly report: WorkerReport }): Promise<boolean>
  /** @throws LeaseLost, ServerRefused */
  sendResult(job: Held, result: ReadonlyMap<string, Uint8Array>, signal: AbortSignal): Promise<void>
  /** Gives a build back; `fault` = why it could not be compiled here. One attempt. */
  returnJob(job: Held, fault: string | null): Promise<void>
  /** Says that the worker ends. One attempt. */
  signOff(): Promise<void>
}

/** Prepares requests to a server. */
export function connectServer(options: {
  readonly server: string
  readonly key: string
  readonly workerId: string
  readonly log: Logger
}): ServerConnection {
  const { server, key, workerId, log } = options
  const headers = { authorization: `Bearer ${key}`, [workerIdHeader]: workerId }
  let isReachable = true

  function send(method: string, path: string, body: Body, signal: AbortSignal): Promise<Response> {
    const url = server.replace(/\/+$/, '') + workerApiPrefix + path
    return fetch(url, { method, headers, body, signal, redirect: 'error' })
  }

  /** Repeats a request with growing pauses while the server is unreachable or busy. */
  async function insist<Result>(
    ask: { method: string; path: string; body: Body; timeoutMs: number; signal: AbortSignal },
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      ask.signal.throwIfAborted()
      try {
        const signal = AbortSignal.any([ask.signal, AbortSignal.timeout(ask.timeoutMs)])
        const response = await send(ask.method, ask.path, ask.body, signal)
        await refuseFailure(response)
        const result = await read(response)
        if (!isReachable) log.info({ server }, 'connected again')
        isReachable = true
        return result
      } catch (error) {
        ask.signal.throwIfAborted()
        if (error instanceof LeaseLost || error instanceof ServerRefused) throw error
        if (isReachable) log.warn({ server, err: error }, 'the server cannot be reached; retrying')
        isReachable = false
      }
      await delay(pauseMs * (0.5 + Math.random() / 2), null, { signal: ask.signal })
    }
  }

  const pathOf = ({ buildId, attempt }: Held, part: string): string => `builds/${buildId}/${attempt}/${part}`

  return {
    async takeJob(report, signal) {
      for (;;) {
        const body = JSON.stringify(report())
        const ask = { method: 'POST', path: 'jobs', body, timeoutMs: 2 * MAX_POLL_MS, signal }
        // The server of the same version wrote it.
        const job = await insist(ask, async (response) =>
          response.status === 204 ? null : ((await response.json()) as BuildJob),
        )
        if (job !== null) return job
      }
    },

    async introduce(report) {
      await refuseFailure(await send('POST', 'self', JSON.stringify(report), AbortSignal.timeout(SHORT_MS)))
    },

    fetchFiles: (job, blobIds, signal) =>
      insist(
        { method: 'POST', path: pathOf(job, 'files'), body: JSON.stringify(blobIds), timeoutMs: TRANSFER_MS, signal },
        readBundle,
      ),

    fetchWarmStart: (job, signal) =>
      insist(
        { method: 'GET', path: pathOf(job, 'warm-start'), body: null, timeoutMs: TRANSFER_MS, signal },
        readBundle,
      ),

    async renew(job, state) {
      const signal = AbortSignal.timeout(SHORT_MS)
      const response = await send('POST', pathOf(job, 'lease'), JSON.stringify(state), signal)
      if (response.status === 409) return false
      await refuseFailure(response)
      return true
    },

    async sendResult(job, result, signal) {
      const body = packBundle(result)
      // The server would close the connection, which looks like an outage.
      if (body.byteLength > MAX_BUNDLE_BYTES)
        throw new Error(`the result has ${body.byteLength} bytes; the limit is ${MAX_BUNDLE_BYTES}`)
      const ask = {
        method: 'PUT',
        path: pathOf(job, 'result'),
        body,
        timeoutMs: TRANSFER_MS,
        signal,
      }
      await insist(ask, async () => null)
    },

    async returnJob(job, fault) {
      const signal = AbortSignal.timeout(SHORT_MS)
      await refuseFailure(await send('POST', pathOf(job, 'return'), JSON.stringify({ fault }), signal))
    },

    async signOff() {
      await refuseFailure(await send('DELETE', 'self', null, AbortSignal.timeout(SHORT_MS)))
    },
  }
}

async function readBundle(response: Response): Promise<ReadonlyMap<string, Uint8Array>> {
  return unpackBundle(new Uint8Array(await response.arrayBuffer()))
}

/** @throws LeaseLost for 409, ServerRefused for other errors of the request, Error for errors of the server. */
async function refuseFailure(response: Response): Promise<void> {
  if (response.ok) return
  const text = (await response.text()).slice(0, 500)
  if (response.status === 409) throw new LeaseLost()
  const message = `the server answered ${response.status}: ${text}`
  const isPermanent = response.status < 500 && response.status !== 408 && response.status !== 429
  throw isPermanent ? new ServerRefused(message, response) : new Error(message)
}
