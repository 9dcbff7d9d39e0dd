import { write, writeSync } from 'node:fs'

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
  return pino(options, writeToStandardError())
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
const COLLECT_MS = 20

/**
 * Writes lines to standard error, together: a write for each would take as long as the rest of a short request. A log that
 * cannot be written, for example to a file on a full disk, does not end the server: the lines are lost.
 */
function writeToStandardError(): DestinationStream {
  let lines = ''
  let isWriting = false

  const writeLines = (): void => {
    if (isWriting || lines === '') return
    isWriting = true
    writeBytes(Buffer.from(lines))
    lines = ''
  }
  const writeBytes = (bytes: Buffer): void =>
    write(2, bytes, (error, count) => {
      const rest = bytes.subarray(count)
      if (error?.code === 'EAGAIN') return void setTimeout(writeBytes, COLLECT_MS, bytes)
      if (error === null && rest.byteLength > 0) return writeBytes(rest)
      isWriting = false
      if (lines !== '') setTimeout(writeLines, COLLECT_MS)
    })

  process.prependOnceListener('exit', () => {
    try {
      writeSync(2, lines)
    } catch {
      // There is no other place for them.
    }
  })
  return {
    write(line) {
      if (lines === '' && !isWriting) setTimeout(writeLines, COLLECT_MS)
      lines += line
    },
  }
}
