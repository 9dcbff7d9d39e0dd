/** The state shared by the routes of one service, created once from its configuration. */
import { availableParallelism } from 'node:os'

import { isSetInEnvironment, readEnvironment } from '../base/environment.ts'
import { resolveLimits } from '../options/check-limits.ts'
import type { ResolvedLimits } from '../options/check-limits.ts'
import type { SandboxMode } from '../base/types.ts'
import { defaultMaxBodyBytes } from './body/read-body.ts'
import { createKeyCheck, parseApiKey } from './api-key.ts'
import type { CallerRules, KeyCheck } from './api-key.ts'
import { createBodyBudget } from './body/body-budget.ts'
import type { BodyBudget } from './body/body-budget.ts'
import { createCompileLimiter } from './compile-limiter.ts'
import type { CompileLimiter } from './compile-limiter.ts'
import { createShutdown } from './shutdown.ts'
import type { Shutdown } from './shutdown.ts'
import type { CompileServiceConfig } from './service-config.ts'
import { createResultCache } from './result-cache.ts'
import type { ResultCache } from './result-cache.ts'
import { logToStderr } from './service-event.ts'
import type { ServiceEvent } from './service-event.ts'
import { createServiceMetrics } from './service-metrics.ts'
import type { ServiceMetrics } from './service-metrics.ts'
import { invalidInput } from '../options/invalid-input.ts'

export interface CompileService extends CallerRules {
  /** Separates the sessions of this service from sessions of others in the same process. */
  readonly id: string
  readonly hasValidKey: KeyCheck
  /** Checks the key of `GET /metrics`. */
  readonly hasMetricsKey: KeyCheck
  readonly gauges: NonNullable<CompileServiceConfig['gauges']>
  readonly findReadinessProblem: NonNullable<CompileServiceConfig['findReadinessProblem']>
  readonly requiresTex: boolean
  readonly limits: ResolvedLimits
  readonly maxRequestBodyBytes: number
  readonly sandbox: SandboxMode
  readonly cacheDir: string | undefined
  readonly maxWaiting: number
  readonly limiter: CompileLimiter
  readonly requestBudget: BodyBudget
  readonly resultBudget: BodyBudget
  readonly shutdown: Shutdown
  readonly metrics: ServiceMetrics
  readonly results: ResultCache
  readonly log: (event: ServiceEvent) => void
}

/** @throws CompileInputError for an invalid number or key in the configuration. */
export function createCompileService(config: CompileServiceConfig): CompileService {
  const limits = resolveLimits(config.limits)
  const log = config.log ?? logToStderr
  const limiter = createCompileLimiter(resolveMaxConcurrent(config.maxConcurrentCompiles))
  const maxRequestBodyBytes = config.maxRequestBodyBytes ?? defaultMaxBodyBytes(limits)
  requirePositive('maxRequestBodyBytes', maxRequestBodyBytes)
  const apiKey = resolveApiKey(config.apiKey, log)
  return {
    id: crypto.randomUUID(),
    hasValidKey: createKeyCheck(apiKey),
    isKeyless: apiKey === null,
    isPublic: config.isPublic ?? false,
    gauges: config.gauges ?? (async () => ({})),
    findReadinessProblem: config.findReadinessProblem ?? (async () => null),
    requiresTex: config.requiresTex ?? true,
    hasMetricsKey: createKeyCheck(parseApiKey('metricsKey', config.metricsKey ?? apiKey) || null),
    limits,
    maxRequestBodyBytes,
    sandbox: config.sandbox ?? 'required',
    cacheDir: config.cacheDir,
    maxWaiting: config.waitingEngines ?? 0,
    limiter: limiter,
    requestBudget: createBodyBudget(maxRequestBodyBytes, 'requests'),
    // Base64 of the largest PDF, and logs.
    resultBudget: createBodyBudget(1.5 * limits.maxPdfBytes, 'results'),
    shutdown: createShutdown(limiter),
    metrics: createServiceMetrics(),
    results: createResultCache(),
    log,
  }
}

/** An empty key counts as not configured, which is logged, because it may be meant as a key. */
function resolveApiKey(configured: string | undefined, log: CompileService['log']): string | null {
  const fromEnvironment = () => parseApiKey('COMPILE_API_KEY', readEnvironment('COMPILE_API_KEY'))
  const given = parseApiKey('apiKey', configured)
  const apiKey = given || fromEnvironment() || null
  const isEmpty = typeof configured === 'string' && given === ''
  if (apiKey === null && (isEmpty || isSetInEnvironment('COMPILE_API_KEY')))
    log({ kind: 'warning', message: 'the API key is empty, so POST /compile requires none' })
  else if (isEmpty)
    log({ kind: 'warning', message: 'the configured API key is empty, so POST /compile requires COMPILE_API_KEY' })
  return apiKey
}

function resolveMaxConcurrent(configured: number | undefined): number {
  const fromEnvironment = readEnvironment('COMPILE_MAX_CONCURRENT')
  const given = configured ?? (fromEnvironment === null ? null : Number(fromEnvironment))
  if (given === null) return Math.max(1, availableParallelism())
  requirePositive('maxConcurrentCompiles', given)
  return given
}

function requirePositive(name: string, value: number): void {
  const isLegal = value === Infinity || (Number.isInteger(value) && value > 0)
  if (!isLegal) throw invalidInput(name, 'must be a whole number above 0, or Infinity')
}
