import type { CompileOptions } from '../base/types.ts'

/** Options of a request handler: defaults for what the request leaves out, and the form of the answer. */
export interface HandlerOptions extends CompileOptions {
  /** @default 'pdf' */
  readonly responseFormat?: 'pdf' | 'json'
}
