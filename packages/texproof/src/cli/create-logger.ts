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
    serializers: { err: describeError },
    hooks: { streamWrite: maskTokens },
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

/** Pino adds the messages of causes, which most of our messages contain already. */
function describeError(error: Error): unknown {
  const described = pino.stdSerializers.err(error)
  const { cause } = error
  if (cause instanceof Error && error.message.includes(cause.message)) described.message = error.message
  return described
}

/** Some clients put the token into the address: the path of a mistyped request then contains it. */
function maskTokens(line: string): string {
  if (!line.includes('pst_') && !line.includes('psw_')) return line
  return line.replaceAll(/(ps[tw]_)[0-9A-Za-z]{20,}/g, '$1…')
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

/** Interval of writes: too short to be noticed, and long enough that a busy server writes many lines at once. */
const COLLECT_MS = 20

/** Characters that wait for standard error at most. A reader that stands still must not fill the memory of a server. */
const MAX_WAITING_LENGTH = 16 * 1024 * 1024

/** How long the end of the process waits for a slow reader. */
const EXIT_PATIENCE_MS = 1_000
const EXIT_PAUSE_MS = 2

/**
 * Writes lines to standard error, together: a write for each would take as long as the rest of a short request. A log that
 * cannot be written, for example to a file on a full disk, does not end the server: the lines are lost.
 */
function writeToStandardError(): DestinationStream {
  let lines = ''
  let lostCount = 0
  let isWriting = false
  /** Waits until a full pipe has been read. */
  let refused: Uint8Array = Buffer.alloc(0)

  const takeLines = (): Uint8Array => {
    const bytes = Buffer.from(lostCount === 0 ? lines : lines + describeLost(lostCount))
    lines = ''
    lostCount = 0
    return bytes
  }
  const writeLines = (): void => {
    if (isWriting || lines === '') return
    isWriting = true
    writeBytes(takeLines())
  }
  const writeBytes = (bytes: Uint8Array): void =>
    write(2, bytes, (error, count) => {
      const rest = bytes.subarray(count)
      if (error?.code === 'EAGAIN') {
        refused = rest
        return void setTimeout(writeRefused, COLLECT_MS)
      }
      if (error === null && rest.byteLength > 0) return writeBytes(rest)
      end()
    })
  const writeRefused = (): void => {
    refused = writeAccepted(refused)
    if (refused.byteLength > 0) setTimeout(writeRefused, COLLECT_MS)
    else end()
  }
  const end = (): void => {
    isWriting = false
    if (lines !== '') setTimeout(writeLines, COLLECT_MS)
  }

  process.prependOnceListener('exit', () => writePatiently(Buffer.concat([refused, takeLines()])))
  return {
    write(line) {
      if (lines.length + line.length > MAX_WAITING_LENGTH) {
        lostCount += 1
        return
      }
      if (lines === '' && !isWriting) setTimeout(writeLines, COLLECT_MS)
      lines += line
    },
  }
}

/** A line of the log about lines that are missing in it. */
function describeLost(count: number): string {
  const message = 'log lines were lost, because standard error was not read'
  return `${JSON.stringify({ level: 'warn', ts: new Date().toISOString(), count, msg: message })}\n`
}

function writePatiently(bytes: Uint8Array): void {
  const givenUpAt = performance.now() + EXIT_PATIENCE_MS
  for (let rest = writeAccepted(bytes); rest.byteLength > 0; rest = writeAccepted(rest)) {
    if (performance.now() > givenUpAt) return
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EXIT_PAUSE_MS)
  }
}

/** Writes what a pipe accepts and returns the rest; what cannot be written for another reason is lost. */
function writeAccepted(bytes: Uint8Array): Uint8Array {
  let rest = bytes
  try {
    while (rest.byteLength > 0) rest = rest.subarray(writeSync(2, rest))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return rest
    // There is no other place for them.
    return rest.subarray(rest.byteLength)
  }
  return rest
}
