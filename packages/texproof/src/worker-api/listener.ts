/**
 * The requests of workers, below `/api/workers/`. Each has a worker key and the id of the worker process; those about a build
 * name its attempt and get 409 when the worker does not hold the lease any more.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { getRequestListener } from '@hono/node-server'
import type { CompileOutcome } from '@texproof/platex/project'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'

import { createLimiter } from '../base/limiter.ts'
import { findStorageFailure } from '../base/storage-failure.ts'
import type { TaskOutcome } from '../base/open-parsers.ts'
import { defineTask } from '../base/thread-task.ts'
import { hashToken, parseWorkerKey } from '../domain/token.ts'
import {
  isWorkerId,
  MAX_BUNDLE_BYTES,
  MAX_FILES_AT_ONCE,
  MAX_POLL_MS,
  parseWorkerReport,
  workerApiPrefix,
  workerIdHeader,
} from '../domain/build/worker-protocol.ts'
import type { Deps } from '../operations/deps.ts'
import type { BuildLease } from '../store/builds/build-leases.ts'
import { InvalidBundle, packBundle, unpackBundle } from '../worker/bundle.ts'
import type { readResult } from './read-result.ts'

const MAX_JSON_BYTES = 256 * 1024
/** Results in memory at once. */
const RESULTS_AT_ONCE = 4
const RESULT_TIME_LIMIT_MS = 20_000
/** Workers are recorded at most this often. */
const NOTE_EVERY_MS = 5_000

const READ_RESULT = defineTask<typeof readResult>(import.meta.resolve('./read-result.ts'), 'readResult')

interface Variables {
  readonly keyId: number
  readonly workerId: string
}
interface Env {
  readonly Variables: Variables
}

/** A result that was read, or why it was not. */
type ReadOutcome =
  | { readonly kind: 'outcome'; readonly outcome: CompileOutcome }
  | { readonly kind: 'invalid' }
  | { readonly kind: Exclude<TaskOutcome<unknown>['kind'], 'done'> }

/** Whether a target belongs to the requests of workers. */
export function isWorkerTarget(target: string): boolean {
  return target.startsWith(workerApiPrefix)
}

/** Creates the listener for targets that `isWorkerTarget` accepts. */
export function createWorkerListener(
  deps: Pick<Deps, 'log' | 'papers' | 'parsers' | 'store'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const listener: RequestListener = getRequestListener(createWorkerApp(deps).fetch, { overrideGlobalObjects: false })
  return (request, response) => void listener(request, response)
}

function createWorkerApp({ log, papers, parsers, store }: Pick<Deps, 'log' | 'papers' | 'parsers' | 'store'>) {
  const { remoteBuilds } = papers
  const results = createLimiter({ atOnce: RESULTS_AT_ONCE })
  const notedAt = new Map<string, number>()
  const app = new Hono<Env>().basePath(workerApiPrefix)
  const jsonLimit = bodyLimit({ maxSize: MAX_JSON_BYTES, onError: (c) => refuse(c, 413, 'The request is too large.') })
  const bundleLimit = bodyLimit({
    maxSize: MAX_BUNDLE_BYTES,
    onError: (c) => refuse(c, 413, 'The result is too large.'),
  })

  app.use(async (c, next) => {
    const key = parseWorkerKey(/^bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? '')
    const known = key === null ? null : await store.workerKeys.findByHash(hashToken(key))
    if (known === null) return refuse(c, 401, 'Invalid worker key.')
    const workerId = c.req.header(workerIdHeader)
    if (!isWorkerId(workerId)) return refuse(c, 400, `The header ${workerIdHeader} is missing.`)
    c.set('keyId', known.id)
    c.set('workerId', workerId)
    return next()
  })

  app.post('/jobs', jsonLimit, async (c) => {
    if (!(await noteWorker(c, await c.req.json()))) return refuse(c, 400, 'Invalid report.')
    const patience = AbortSignal.any([c.req.raw.signal, AbortSignal.timeout(MAX_POLL_MS)])
    const job = await remoteBuilds.take(workerOf(c), patience)
    return job === null ? c.body(null, 204) : c.json(job)
  })

  app.post('/builds/:id/:attempt/files', jsonLimit, async (c) => {
    const ids: unknown = await c.req.json()
    const isList = Array.isArray(ids) && ids.length <= MAX_FILES_AT_ONCE && ids.every((id) => typeof id === 'string')
    if (!isList) return refuse(c, 400, `Expected a list of at most ${MAX_FILES_AT_ONCE} ids.`)
    return sendBundle(c, await remoteBuilds.readFiles(leaseOf(c), ids))
  })

  app.get('/builds/:id/:attempt/warm-start', async (c) => sendBundle(c, await remoteBuilds.readWarmStart(leaseOf(c))))

  app.post('/builds/:id/:attempt/lease', jsonLimit, async (c) => {
    const { progress, report }: Partial<Record<string, unknown>> = await c.req.json()
    if (!(await noteWorker(c, report))) return refuse(c, 400, 'Invalid report.')
    const text = typeof progress === 'string' ? progress.slice(0, 100) : null
    return answerHeld(c, await remoteBuilds.renew(leaseOf(c), text))
  })

  app.put('/builds/:id/:attempt/result', bundleLimit, (c) =>
    results.run('', async () => {
      const read = await readOutcome(new Uint8Array(await c.req.arrayBuffer()), workerOf(c))
      switch (read.kind) {
        case 'outcome':
          return answerHeld(c, await remoteBuilds.finish(leaseOf(c), read.outcome))
        case 'invalid':
          return refuse(c, 400, 'Invalid result.')
        // They may be due to the result: the worker must not resend it forever.
        case 'timed-out':
        case 'out-of-memory':
          return refuse(c, 413, `The server could not read the result (${read.kind}).`)
        default:
          return refuse(c, 503, 'The server is busy.')
      }
    }),
  )

  app.post('/builds/:id/:attempt/return', jsonLimit, async (c) => {
    const { fault }: Partial<Record<string, unknown>> = await c.req.json()
    const reason = typeof fault === 'string' ? fault.slice(0, 1_000) : null
    return answerHeld(c, await remoteBuilds.giveBack(leaseOf(c), reason))
  })

  app.post('/self', jsonLimit, async (c) => {
    notedAt.delete(workerOf(c))
    return (await noteWorker(c, await c.req.json())) ? c.body(null, 204) : refuse(c, 400, 'Invalid report.')
  })

  app.delete('/self', async (c) => {
    await store.workerKeys.removeWorker(workerOf(c))
    return c.body(null, 204)
  })

  app.notFound((c) => refuse(c, 404, 'Not found.'))
  app.onError((error, c) => {
    if (error instanceof InvalidBundle || error instanceof SyntaxError) return refuse(c, 400, error.message)
    log.error({ err: error, component: 'workers', path: c.req.path }, 'request of a worker failed')
    return findStorageFailure(error) === 'full'
      ? refuse(c, 507, 'The disk of the server is full.')
      : refuse(c, 500, 'Internal error. See the server log.')
  })
  return app

  /** False if the report is invalid. */
  async function noteWorker(c: Context<Env>, input: unknown): Promise<boolean> {
    const report = parseWorkerReport(input)
    if (report === null) return false
    const id = workerOf(c)
    const now = Date.now()
    if (now - (notedAt.get(id) ?? 0) < NOTE_EVERY_MS) return true
    for (const [known, at] of notedAt) if (now - at > NOTE_EVERY_MS) notedAt.delete(known)
    notedAt.set(id, now)
    await store.workerKeys.noteWorker(c.get('keyId'), { ...report, id })
    return true
  }

  async function readOutcome(body: Uint8Array, worker: string): Promise<ReadOutcome> {
    const files = unpackBundle(body)
    const json = files.get('result.json')
    if (json === undefined) return { kind: 'invalid' }
    const parsed = await parsers.run(READ_RESULT, json, { ownerId: worker, timeLimitMs: RESULT_TIME_LIMIT_MS })
    if (parsed.kind !== 'done') return parsed
    if (parsed.value === null) return { kind: 'invalid' }
    const aux = [...files].flatMap(([path, bytes]) =>
      path.startsWith('aux/') ? [[path.slice('aux/'.length), bytes] as const] : [],
    )
    const outcome = {
      result: { ...parsed.value, pdf: files.get('document.pdf') ?? null },
      synctex: files.get('document.synctex') ?? null,
      inputs: [],
      aux: new Map(aux),
    }
    return { kind: 'outcome', outcome }
  }
}

/** The name under which a worker holds leases. The id of its key keeps workers of other keys from using it. */
function workerOf(c: Context<Env>): string {
  return `worker-${c.get('keyId')}-${c.get('workerId')}`
}

/** The database decides whether it is held. */
function leaseOf(c: Context<Env>): BuildLease {
  const [buildId, attempt] = [c.req.param('id'), c.req.param('attempt')].map((text) =>
    /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0,
  )
  return { buildId: buildId ?? 0, attempt: attempt ?? 0, worker: workerOf(c) }
}

function sendBundle(c: Context<Env>, files: ReadonlyMap<string, Uint8Array> | null): Response {
  if (files === null) return answerHeld(c, false)
  return c.body(packBundle(files), 200, { 'Content-Type': 'application/octet-stream', 'Cache-Control': 'no-store' })
}

function answerHeld(c: Context<Env>, isHeld: boolean): Response {
  return isHeld ? c.body(null, 204) : refuse(c, 409, 'The build was cancelled, or another worker has taken it over.')
}

function refuse(c: Context, status: 400 | 401 | 404 | 409 | 413 | 500 | 503 | 507, message: string): Response {
  return c.json({ message }, status)
}
