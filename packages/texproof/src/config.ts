/** The whole configuration of a running host. Read once, here and nowhere else. */
export interface Config {
  /** Absolute path of the one folder that holds everything. */
  readonly dataDir: string
  readonly listen: { readonly host: string; readonly port: number }
  /** Public address without a trailing slash: every URL we hand out starts with it. */
  readonly baseUrl: string
  /** Bearer key of `POST /compile`; null = none asked. */
  readonly compileApiKey: string | null
  /** `none` only by the explicit `--unsafe-no-sandbox`. */
  readonly sandbox: 'required' | 'none'
  readonly build: {
    /** Wall-clock budget of one repository build, all passes. */
    readonly timeoutMs: number
    /** Builds at once. */
    readonly concurrency: number
    readonly maxFiles: number
    readonly maxBytes: number
  }
  /** Bytes of one push accepted at most. */
  readonly maxPushBytes: number
  readonly log: { readonly level: string; readonly format: 'json' | 'pretty' }
}
