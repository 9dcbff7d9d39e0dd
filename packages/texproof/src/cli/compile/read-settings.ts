import { parseDuration } from '../../config/parse-duration.ts'
import type { Listen } from '../../config/parse-listen.ts'
import { CliError } from '../cli-error.ts'
import { exitCodes } from '../exit-codes.ts'
import type { CompileCommandOptions } from './options.ts'

/** What the options mean, checked together. */
export interface CompileSettings {
  readonly timeoutMs: number
  readonly maxWarnings: number | null
  readonly allowErrors: boolean
  readonly isWatching: boolean
  /** Where the preview listens, or null without one. */
  readonly preview: Listen | null
}

const longestMs = 24 * 60 * 60 * 1000
const usualPreview: Listen = { host: 'localhost', port: 4000 }

/** @throws CliError 2, naming what does not go together and what would. */
export function readSettings(path: string, options: CompileCommandOptions): CompileSettings {
  const timeoutMs =
    parseDuration(options.timeout) ?? refuse(`"${options.timeout}" is no time`, 'Write -t 60s or -t 5m.')
  if (timeoutMs > longestMs) refuse(`"${options.timeout}" is more than a day`, 'Write -t 24h, or less.')
  const { maxWarnings, serve } = options
  if (maxWarnings !== undefined && !/^\d{1,6}$/.test(maxWarnings))
    refuse(`"${maxWarnings}" is no number of warnings`, 'Write --max-warnings 0.')
  const isWatching = options.watch !== undefined || serve !== undefined
  if (isWatching && path === '-') refuse('standard input cannot be watched', 'Name a file or a folder.')
  refuseSharedOutput(path, options)
  if (options.open && leavesNoFile(path, options)) {
    refuse('--open needs a PDF in a file', 'Say where it goes: -o FILE.pdf')
  }
  return {
    timeoutMs,
    maxWarnings: maxWarnings === undefined ? null : Number(maxWarnings),
    allowErrors: options.allowErrors ?? false,
    isWatching,
    preview: serve === undefined ? null : serve === true ? usualPreview : serve,
  }
}

/** Standard output has one reader, who expects one thing. */
function refuseSharedOutput(path: string, options: CompileCommandOptions): void {
  const isForPdf = options.output === '-' || (path === '-' && options.output === undefined && !options.json)
  const wanted = [options.json, options.events, isForPdf ? true : undefined, options.log === '-' ? true : undefined]
  if (wanted.filter((part) => part !== undefined).length > 1) {
    refuse('only one of --json, --events, -o - and --log - can have standard output', 'Send the others to files.')
  }
  if (isForPdf && options.output === undefined && process.stdout.isTTY) {
    refuse('the PDF of standard input would go to the terminal', 'Say where it goes: -o FILE.pdf')
  }
}

function leavesNoFile(path: string, options: CompileCommandOptions): boolean {
  if (options.serve !== undefined) return false
  return options.output === '-' || (options.output === undefined && (path === '-' || options.json !== undefined))
}

function refuse(message: string, remedy: string): never {
  throw new CliError(message, { exitCode: exitCodes.usage, remedy })
}
