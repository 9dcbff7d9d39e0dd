import { parseDuration } from '../../config/parse-values.ts'
import type { Listen } from '../../config/parse-values.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CompileCommandOptions } from './options.ts'

/** The parsed options. */
export interface CompileSettings {
  readonly timeoutMs: number
  readonly maxWarnings: number | null
  readonly allowErrors: boolean
  readonly isWatching: boolean
  /** Address of the preview, or null without one. */
  readonly preview: Listen | null
}

const longestMs = 24 * 60 * 60 * 1000
const usualPreview: Listen = { host: 'localhost', port: 4000 }

/** @throws CliError 2 for invalid or conflicting options. */
export function readSettings(path: string, options: CompileCommandOptions): CompileSettings {
  const timeoutMs =
    parseDuration(options.timeout) ?? refuse(`invalid time "${options.timeout}"`, 'Expected: -t 60s or -t 5m')
  if (timeoutMs > longestMs) refuse(`time "${options.timeout}" is longer than 24 hours`, 'Expected: at most -t 24h')
  const { maxWarnings, serve } = options
  if (maxWarnings !== undefined && !/^\d{1,6}$/.test(maxWarnings))
    refuse(`invalid number "${maxWarnings}"`, 'Expected: --max-warnings 0')
  const isWatching = options.watch !== undefined || serve !== undefined
  if (isWatching && path === '-') refuse('cannot watch standard input', 'Pass a file or a directory.')
  refuseSharedOutput(path, options)
  if (options.open && leavesNoFile(path, options)) {
    refuse('--open requires an output file', 'Add -o FILE.pdf.')
  }
  return {
    timeoutMs,
    maxWarnings: maxWarnings === undefined ? null : Number(maxWarnings),
    allowErrors: options.allowErrors ?? false,
    isWatching,
    preview: serve === undefined ? null : serve === true ? usualPreview : serve,
  }
}

/** Only one format may be written to standard output. */
function refuseSharedOutput(path: string, options: CompileCommandOptions): void {
  const isForPdf = options.output === '-' || (path === '-' && options.output === undefined && !options.json)
  const wanted = [options.json, options.events, isForPdf ? true : undefined, options.log === '-' ? true : undefined]
  if (wanted.filter((part) => part !== undefined).length > 1) {
    refuse('--json, --events, -o - and --log - cannot share standard output', 'Write the other outputs to files.')
  }
  if (isForPdf && options.output === undefined && process.stdout.isTTY) {
    refuse('refusing to write a PDF to the terminal', 'Add -o FILE.pdf.')
  }
}

function leavesNoFile(path: string, options: CompileCommandOptions): boolean {
  if (options.serve !== undefined) return false
  return options.output === '-' || (options.output === undefined && (path === '-' || options.json !== undefined))
}

function refuse(message: string, remedy: string): never {
  throw new CliError(message, { exitCode: exitCodes.usage, remedy })
}
