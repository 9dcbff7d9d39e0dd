import type { CompileLimits, SandboxMode } from '../base/types.ts'
import type { ServiceEvent } from './service-event.ts'

/** Configuration of the compile service; every field is optional. */
export interface CompileServiceConfig {
  /** Bearer key of `POST /compile`. @default environment variable COMPILE_API_KEY; unset or empty = no key required */
  readonly apiKey?: string
  /** *Addition*: bearer key of `GET /metrics`; empty = no key required. @default the key of `POST /compile` */
  readonly metricsKey?: string
  /**
   * *Addition*: isolates callers without a checked key from each other: no sessions and results are stored for them.
   *
   * @default false, because they are programs of one operator
   */
  readonly isPublic?: boolean
  /**
   * Maximum number of concurrent compiles; further requests get 503.
   *
   * @default environment variable COMPILE_MAX_CONCURRENT, else one per processor
   */
  readonly maxConcurrentCompiles?: number
  /** Inclusive input limits. @default 5,000,000 source bytes, 50 files, 25,000,000 bytes of files */
  readonly limits?: CompileLimits
  /**
   * Maximum bytes of a request body, compressed and decompressed. @default derived from the limits: 44,381,910 with
   * default limits
   */
  readonly maxRequestBodyBytes?: number
  /** *Addition*: `required` rejects compiles if bubblewrap does not work. @default 'required' */
  readonly sandbox?: SandboxMode
  /** *Addition*: folder for formats and font caches. @default a folder of this user below the temporary folder */
  readonly cacheDir?: string
  /**
   * *Addition*: maximum number of engines that wait for documents. Each uses 60 to 200 MB of memory; all together use
   * at most 6 % of the memory of the machine. @default 0
   */
  readonly waitingEngines?: number
  /** *Addition*: further values of `GET /metrics`: name → [help, value]. @default none */
  readonly gauges?: () => Promise<Readonly<Record<string, readonly [string, number]>>>
  /**
   * *Addition*: a further condition of `GET /ready`, checked at every request: why the service is not ready; null = it
   * is.
   *
   * @default none
   */
  readonly findReadinessProblem?: () => Promise<string | null>
  /**
   * *Addition*: whether `GET /ready` requires a test document to compile. Set it to false for a host that is ready without
   * TeX, because other machines compile for it.
   *
   * @default true
   */
  readonly requiresTex?: boolean
  /**
   * *Addition*: called for every response and failure. @default prints failures and warnings to standard error, one
   * line each
   */
  readonly log?: (event: ServiceEvent) => void
}
