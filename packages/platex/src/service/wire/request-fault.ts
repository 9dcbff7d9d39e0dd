/** Stable codes of error bodies. */
export type FaultCode =
  | 'invalid_json'
  | 'invalid_request'
  | 'unauthorized'
  | 'cross_origin'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'too_many_compiles'
  | 'shutting_down'
  | 'upstream_unreachable'
  | 'no_engine'
  | 'no_service'
  | 'sandbox_unavailable'
  | 'aborted'
  | 'internal'

export interface FaultDetail {
  readonly path: string
  readonly message: string
}

export interface RequestFaultOptions {
  readonly status: number
  readonly code: FaultCode
  readonly headers?: Readonly<Record<string, string>>
  readonly details?: readonly FaultDetail[]
  readonly cause?: unknown
}

/** An HTTP error status. Thrown where the error is detected, converted to a response by `presentFault`. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly status: number
  readonly code: FaultCode
  readonly headers: Readonly<Record<string, string>>
  readonly details: readonly FaultDetail[] | null

  constructor(message: string, options: RequestFaultOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = options.status
    this.code = options.code
    this.headers = options.headers ?? {}
    this.details = options.details ?? null
  }
}
