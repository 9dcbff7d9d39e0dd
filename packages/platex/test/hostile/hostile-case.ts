/** One hostile input, and its expected outcome. */
export interface HostileCase {
  /** Unique; starts with its class: `read-openin-absolute`. */
  readonly name: string
  readonly request: HostileRequest
  /** `compiles` = a PDF, `refused` = HTTP 400, `contained` = HTTP 200 with any result. */
  readonly outcome: 'compiles' | 'refused' | 'contained'
  /** Text that must be in the response: proof that the attack ran. */
  readonly proof?: string
  /** Text that must not be in the response: proof that the attack succeeded. */
  readonly forbidden?: readonly string[]
  /** Part of the quick suite. */
  readonly isQuick?: true
  /** Skipped without a sandbox, because it would harm the machine. */
  readonly isDangerous?: true
  /** Another compile runs concurrently and must succeed. */
  readonly hasNeighbor?: true
}

/**
 * Body of a compile request.
 *
 * `<CANARY>` (a readable host file), `<OPEN>` (a writable host file), `<DROP>` (a writable host folder), `<SECRET>` (an
 * environment variable of the service) and `<PORT>` (a listener on loopback) are filled in by the runner.
 */
export interface HostileRequest {
  readonly source: string
  readonly engine?: string
  readonly bibliography?: string
  readonly passes?: number
  /** Milliseconds. */
  readonly timeout?: number
  /** Pairs, because some cases send a name twice. */
  readonly files?: readonly (readonly [name: string, content: string | Uint8Array])[]
}

/** An exchange below or beside the compile request; returns the failures as text. */
export interface HttpCase {
  readonly name: string
  readonly exchange: (target: HttpTarget) => Promise<readonly string[]>
  readonly isQuick?: true
}

export interface HttpTarget {
  readonly url: string
  readonly port: number
  readonly apiKey: string
}
