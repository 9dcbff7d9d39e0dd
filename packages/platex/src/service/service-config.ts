import type { CompileLimits, SandboxMode } from '../base/types.ts'
import type { ServiceEvent } from './service-event.ts'

/** Configuration of the compile service; every field is optional. */
export interface CompileServiceConfig {
  /** Bearer key asked of `POST /compile`. @default environment variable COMPILE_API_KEY; unset or empty = none asked */
  readonly apiKey?: string
  /** *Addition*: bearer key asked of `GET /metrics`; empty = none asked. @default the key of `POST /compile` */
  readonly metricsKey?: string
  /**
   * *Addition*: callers without credentials must learn nothing about each other, so nothing is kept for them: no
   * session and no result.
   *
   * @default false: they are the programs of one operator
   */
  readonly isPublic?: boolean
  /**
   * Compiles at once; one more is answered 503.
   *
   * @default environment variable COMPILE_MAX_CONCURRENT, else one a processor
   */
  readonly maxConcurrentCompiles?: number
  /** Input ceilings, inclusive. @default 5,000,000 source bytes, 50 files, 25,000,000 bytes of files */
  readonly limits?: CompileLimits
  /** Bytes of a request body, as sent and as inflated. @default what the limits need: 44,381,910 with default limits */
  readonly maxRequestBodyBytes?: number
  /** *Addition*: `required` refuses to compile without a working bubblewrap. @default 'required' */
  readonly sandbox?: SandboxMode
  /** *Addition*: where formats and font caches are kept. @default a folder of this user below the temporary folder */
  readonly cacheDir?: string
  /**
   * *Addition*: most engines that are started ahead and wait for documents, 60 to 200 MB of memory each, in all at most
   * 6 % of that of the machine. @default 0
   */
  readonly waitingEngines?: number
  /** *Addition*: told of every answer and failure. @default failures and warnings go to standard error, a line each */
  readonly log?: (event: ServiceEvent) => void
}
