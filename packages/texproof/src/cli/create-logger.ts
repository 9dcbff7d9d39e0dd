import { pino } from 'pino'
import type { Logger } from 'pino'

import type { Config } from '../config/read-config.ts'
import { prettyLogStream } from './pretty-log-stream.ts'

/** The log of a host, on standard error: JSON lines for programs, or one readable line an event for a terminal. */
export function createLogger({ level, format }: Config['log']): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"ts":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    // A second net: no surface logs these, and none shall by mistake.
    redact: [
      'authorization',
      'cookie',
      'password',
      'token',
      'headers',
      '*.authorization',
      '*.cookie',
      '*.password',
      '*.token',
      '*.headers',
    ],
  }
  return format === 'json' ? pino(options, pino.destination({ fd: 2, sync: false })) : pino(options, prettyLogStream())
}
