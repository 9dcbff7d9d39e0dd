import { pino } from 'pino'
import type { DestinationStream, Logger } from 'pino'

import type { Config } from '../config/read-config.ts'
import { prettyLogStream } from './pretty-log-stream.ts'

/** The log of a host, on standard error: JSON lines, or one readable line per event on a terminal. */
export function createLogger({ level, format }: Config['log'], stream?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }), log: redact },
  }
  if (stream !== undefined) return pino(options, stream)
  if (format !== 'json') return pino(options, prettyLogStream())
  return pino(options, collectLines(pino.destination({ fd: 2, sync: false })))
}

/** Defense in depth: these are never logged on purpose. */
const secretKeys: ReadonlySet<string> = new Set(['authorization', 'cookie', 'password', 'token', 'headers'])

/**
 * Hides secrets in an event and in its objects. Pino's own redaction copies every event, which costs more than the rest
 * of a line.
 */
function redact(event: Record<string, unknown>): Record<string, unknown> {
  let shown = event
  for (const key in event) {
    const value = event[key]
    const isNested = typeof value === 'object' && value !== null
    const replaced = secretKeys.has(key) ? '[Redacted]' : isNested ? redactNested(value) : value
    if (replaced === value) continue
    if (shown === event) shown = { ...event }
    shown[key] = replaced
  }
  return shown
}

/** A copy of the same kind, because errors are logged with their stack. */
function redactNested(value: object): object {
  const keys = Object.keys(value).filter((key) => secretKeys.has(key))
  if (keys.length === 0) return value
  const copy: object = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value))
  for (const key of keys) Object.defineProperty(copy, key, { value: '[Redacted]', enumerable: true })
  return copy
}

/** Cached, because many lines have the same millisecond. */
function createTimestamp(): () => string {
  let lastMs = 0
  let text = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = `,"ts":"${new Date(nowMs).toISOString()}"`
    }
    return text
  }
}

/** Shorter than anybody notices, and long enough that a busy server writes many lines at once. */
const collectMs = 20

/** Passes on lines together: a write for each would take as long as the rest of a short request. */
function collectLines(destination: DestinationStream): DestinationStream {
  let lines = ''
  const writeLines = (): void => {
    if (lines !== '') destination.write(lines)
    lines = ''
  }
  // Before the listener with which pino empties the destination.
  process.prependOnceListener('exit', writeLines)
  return {
    write(line) {
      if (lines === '') setTimeout(writeLines, collectMs)
      lines += line
    },
  }
}
