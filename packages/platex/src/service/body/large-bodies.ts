/**
 * Parses and writes large JSON on worker threads: base64 and JSON of the largest allowed body take a third of a second,
 * during which no other request would be served.
 */
import { Buffer } from 'node:buffer'
import type { ResolvedLimits } from '../../options/check-limits.ts'
import { PlatexError } from '../../base/errors.ts'
import { parseCompileBody, type CompileBody } from '../wire/parse-compile-body.ts'
import { presentResult, type PresentableResult, type ResultJson } from '../wire/present-result.ts'
import { RequestFault } from '../wire/request-fault.ts'
import { createWorkerPool, type TaskOutcome, type WorkerPool } from '../../worker/create-worker-pool.ts'
import { findWorkerScript } from '../../worker/find-worker-script.ts'
import type { bodyTasks } from './body-worker.ts'
import type { UploadForm } from './upload-form.ts'

/** Smaller bodies take a few milliseconds and are parsed on the current thread. */
const LARGE_BYTES = 1024 * 1024
/** Space for the text of a body, its parsed form and its decoded files at the configured limits. */
const MEMORY_LIMIT_MB = 1024
const TIME_LIMIT_MS = 10_000

let shared: WorkerPool<typeof bodyTasks> | null = null

/**
 * Parses the body of a compile request, uploads always on a worker thread. `bytes` must not be used afterwards.
 *
 * @throws RequestFault or CompileInputError for an invalid request.
 */
export async function parseAnyBody(
  bytes: Uint8Array<ArrayBuffer>,
  limits: ResolvedLimits,
  form: UploadForm | null = null,
): Promise<CompileBody> {
  const pool = form === null && bytes.length < LARGE_BYTES ? null : poolFor(form)
  if (pool === null) return parseCompileBody(bytes, limits)
  const transfer = bytes.length === bytes.buffer.byteLength ? [bytes.buffer] : []
  const outcome = await pool.run('parseBody', { bytes, limits, form }, { requester: crypto.randomUUID(), transfer })
  const parsed = valueOf(outcome, 'body')
  if (parsed.kind === 'refused') throw new RequestFault(parsed.message, parsed.options)
  return parsed.body
}

/** Writes the JSON of a result. */
export async function presentAnyResult(result: PresentableResult): Promise<ResultJson> {
  const logLength = (result.logs ?? []).reduce(
    (sum, { stdout, stderr, log }) => sum + stdout.length + stderr.length + log.length,
    0,
  )
  const outputs = Object.values(result.outputs ?? {}).reduce((sum, bytes) => sum + (bytes?.length ?? 0), 0)
  const diagnostics = (result.errors.length + result.warnings.length) * 500
  const isLarge = (result.pdf?.length ?? 0) + outputs + logLength + diagnostics >= LARGE_BYTES
  const pool = isLarge ? poolFor(null) : null
  if (pool === null) return presentResult(result, encodeWithNode)
  return valueOf(await pool.run('presentBody', result, { requester: crypto.randomUUID() }), 'result')
}

function encodeWithNode(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Null if a bundler omitted the worker script: JSON is then handled on the current thread. Uploads require a worker
 * thread.
 */
function poolFor(form: UploadForm | null): WorkerPool<typeof bodyTasks> | null {
  try {
    return sharedPool()
  } catch (error) {
    if (form === null && error instanceof PlatexError && error.code === 'WORKER_MISSING') return null
    throw error
  }
}

function sharedPool(): WorkerPool<typeof bodyTasks> {
  shared ??= createWorkerPool<typeof bodyTasks>(findWorkerScript('body-worker', import.meta.url), {
    timeLimitMs: TIME_LIMIT_MS,
    memoryLimitMb: MEMORY_LIMIT_MB,
  })
  return shared
}

function valueOf<Value>(outcome: TaskOutcome<Value>, subject: 'body' | 'result'): Value {
  if (outcome.kind === 'done') return outcome.value
  throw outcome.kind === 'failed' ? outcome.error : faultOf(outcome.kind, subject)
}

/**
 * The fault of a task that a worker thread did not finish. A body within the limits is parsed in time unless the machine is
 * overloaded; a result that cannot be written is not the fault of the request.
 */
export function faultOf(
  end: Exclude<TaskOutcome<never>['kind'], 'done' | 'failed'>,
  subject: 'body' | 'result',
): RequestFault {
  if (end === 'busy' || end === 'aborted') return overloaded('Too many large requests are arriving at once.')
  if (subject === 'result') {
    const missing = end === 'timed-out' ? 'time' : 'memory'
    return new RequestFault(`The result could not be written: it requires too much ${missing}.`, {
      status: 500,
      code: 'internal',
    })
  }
  if (end === 'timed-out') return overloaded('The service is overloaded and could not read the request in time.')
  return new RequestFault('The request is too large to be read.', { status: 413, code: 'payload_too_large' })
}

function overloaded(reason: string): RequestFault {
  return new RequestFault(`${reason} Try again shortly.`, {
    status: 503,
    code: 'too_many_compiles',
    headers: { 'Retry-After': '1' },
  })
}
