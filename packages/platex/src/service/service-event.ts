import { format } from 'node:util'

import type { ProjectEngine } from '../base/types.ts'

/** How a compile ended, as counted by `/metrics`. */
export type CompileEnd = 'pdf' | 'no-pdf' | 'timed-out' | 'aborted' | 'failed'

/** A log event of the service. Never contains parts of documents, keys or headers. */
export type ServiceEvent =
  | {
      readonly kind: 'answered'
      readonly requestId: string
      readonly method: string
      readonly path: string
      readonly status: number
      readonly durationMs: number
    }
  | {
      readonly kind: 'compiled'
      readonly requestId: string
      readonly engine: ProjectEngine
      readonly end: CompileEnd
      readonly passes: number
      readonly durationMs: number
    }
  | { readonly kind: 'failed'; readonly requestId: string; readonly error: unknown }
  | { readonly kind: 'warning'; readonly message: string }

/** The default log: events that require attention, on standard error. */
export function logToStderr(event: ServiceEvent): void {
  if (event.kind === 'failed') writeLine(format('request %s failed: %o', event.requestId, event.error))
  if (event.kind === 'warning') writeLine(event.message)
}

function writeLine(message: string): void {
  process.stderr.write(`compile service: ${message}\n`)
}
