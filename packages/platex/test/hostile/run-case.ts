import { Buffer } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import { article } from './documents.ts'
import { findLeaks } from './find-leaks.ts'
import { endLeftovers, findLeftovers } from './find-leftovers.ts'
import type { HostileCase, HttpCase } from './hostile-case.ts'
import { postRequest } from './post-request.ts'
import type { Target } from './start-target.ts'
import { watchHealth } from './watch-health.ts'

/** Time for a compile beyond its timeout: writing files, reading and sending results. */
const TIME_GRACE_MS = 8000
const DEFAULT_TIMEOUT_MS = 30_000
const MAX_ANSWER_BYTES = 70_000_000
/**
 * Cases after which the service must still be able to compile. Invalid bodies and keys come before the raw requests, whose
 * compiles show the same for them.
 */
const EXHAUSTING = /^(?:resource|native|limits|http-(?:raw|client))-/

export interface CaseReport {
  readonly name: string
  /** Failures as text; empty = as expected. */
  readonly problems: readonly string[]
  readonly durationMs: number
  readonly worstHealthMs: number
}

/** Sends one hostile document and checks response, host and service. */
export function runDocumentCase(target: Target, hostile: HostileCase): Promise<CaseReport> {
  return watched(target, hostile.name, async () => {
    const neighbor = hostile.hasNeighbor ? compileGood(target) : Promise.resolve([])
    if (hostile.hasNeighbor) await sleep(100)
    const problems = await checkDocument(target, hostile)
    return [...problems, ...(await neighbor).map((problem) => `the neighbor: ${problem}`)]
  })
}

/** Runs one hostile exchange and checks host and service. */
export function runHttpCase(target: Target, hostile: HttpCase): Promise<CaseReport> {
  return watched(target, hostile.name, () => hostile.exchange(target))
}

async function watched(target: Target, name: string, attack: () => Promise<readonly string[]>): Promise<CaseReport> {
  const startedAt = performance.now()
  const health = watchHealth(target)
  const problems = [...(await attack().catch((error: unknown) => [`the exchange failed: ${String(error)}`]))]
  const durationMs = performance.now() - startedAt
  problems.push(...(await findLeftovers(target.pid)), ...(await target.findHostChanges()))
  await endLeftovers(target.pid)
  if (EXHAUSTING.test(name)) {
    problems.push(...(await compileGood(target)).map((problem) => `the next document: ${problem}`))
  }
  const { worstMs, problems: healthProblems } = await health.stop()
  return { name, problems: [...problems, ...healthProblems], durationMs, worstHealthMs: worstMs }
}

async function checkDocument(target: Target, hostile: HostileCase): Promise<readonly string[]> {
  const startedAt = performance.now()
  const { status, text } = await postRequest(target, hostile.request)
  const durationMs = performance.now() - startedAt
  const answer = readAnswer(text)
  const budgetMs = (hostile.request.timeout ?? DEFAULT_TIMEOUT_MS) + TIME_GRACE_MS
  return [
    ...checkOutcome(hostile, status, answer),
    ...findLeaks(text, answer?.pdf ?? null, target.secrets).map((secret) => `leaked ${secret}`),
    ...(hostile.forbidden ?? []).filter((token) => text.includes(token)).map((token) => `answered "${token}"`),
    ...(hostile.proof === undefined || text.includes(hostile.proof) ? [] : ['the attack never ran']),
    ...(/\n\s+at .*:\d+:\d+|node:internal/.test(text) ? ['a stack trace in the answer'] : []),
    ...(durationMs > budgetMs ? [`took ${Math.round(durationMs)} ms of ${budgetMs}`] : []),
    ...(text.length > MAX_ANSWER_BYTES ? [`answered ${text.length} bytes`] : []),
  ]
}

interface Answer {
  readonly pdf: Uint8Array | null
  readonly hasErrors: boolean
  readonly isWellFormed: boolean
}

function checkOutcome(hostile: HostileCase, status: number, answer: Answer | null): readonly string[] {
  if (hostile.outcome === 'refused') return status === 400 ? [] : [`status ${status}, not 400`]
  if (status !== 200) return [`status ${status}, not 200`]
  if (answer === null || !answer.isWellFormed) return ['not a compile result']
  if (answer.pdf === null && !answer.hasErrors) return ['no PDF and no error']
  return hostile.outcome === 'compiles' && answer.pdf === null ? ['no PDF'] : []
}

function readAnswer(text: string): Answer | null {
  const json: unknown = parseJson(text)
  if (json === null || typeof json !== 'object' || !('pdf' in json) || !('errors' in json)) return null
  const { pdf, errors } = json
  const bytes = typeof pdf === 'string' ? Buffer.from(pdf, 'base64') : null
  const isPdf = bytes === null ? pdf === null : bytes.subarray(0, 5).toString('latin1') === '%PDF-'
  const hasLists = Array.isArray(errors) && 'warnings' in json && 'logs' in json && Array.isArray(json.logs)
  return { pdf: bytes, hasErrors: Array.isArray(errors) && errors.length > 0, isWellFormed: isPdf && hasLists }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // Not a response of the service: the outcome check reports it.
  }
}

/** Compiles a harmless document, and retries while the service is busy. */
export async function compileGood(target: Target): Promise<readonly string[]> {
  for (let attempt = 0; ; attempt += 1) {
    const { status, text } = await postRequest(target, { source: article('A good document.') })
    if (status === 503 && attempt < 20) {
      await sleep(250)
      continue
    }
    return status === 200 && readAnswer(text)?.pdf ? [] : [`did not compile: status ${status} ${text.slice(0, 200)}`]
  }
}
