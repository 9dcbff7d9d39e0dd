/**
 * Parses the CompileResponse of a service, which may be older, newer or another implementation.
 *
 * Checks every field. Unknown warning codes become `other`, unknown fields are dropped, and everything else that is
 * unexpected is a `BAD_RESPONSE`.
 */
import { ENGINE_NAMES, OUTPUT_NAMES, WARNING_CODES } from '../base/names.ts'
import { RemoteCompileError } from '../base/errors.ts'
import type {
  CompileOutputs,
  CompileResult,
  CompileStats,
  Engine,
  LatexError,
  LatexWarning,
  MissingPackage,
  RawPassLog,
} from '../base/types.ts'
import { decodeBase64 } from '../service/wire/base64.ts'

type Fields = Readonly<Record<string, unknown>>

const SOURCES: readonly LatexError['source'][] = ['latex', 'bibtex', 'biber']
const PROGRAMS: readonly (Engine | 'bibtex' | 'biber')[] = [...ENGINE_NAMES, 'bibtex', 'biber']

/** @throws RemoteCompileError `BAD_RESPONSE` if the body is not a compile response. */
export function parseCompileResponse(status: number, text: string): CompileResult {
  const result = parseCompileResult(parseJson(text))
  if (result !== null) return result
  throw new RemoteCompileError('the response of the compile service is not a compile result', {
    code: 'BAD_RESPONSE',
    status,
    retryable: true,
    bodyExcerpt: text.slice(0, 500),
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null // Reported as an invalid response.
  }
}

/** Parses the JSON form of a result; null if it is none. */
export function parseCompileResult(input: unknown): CompileResult | null {
  if (!isFields(input)) return null
  const pdf = typeof input['pdf'] === 'string' ? decodeBase64(input['pdf']) : null
  if (pdf === null && input['pdf'] !== null) return null
  const errors = parseList(input['errors'], parseError)
  const warnings = parseList(input['warnings'], parseWarning)
  const logs = parseList(input['logs'] ?? [], parseLog)
  if (errors === null || warnings === null || logs === null) return null
  const pages = input['pages']
  const stats = parseStats(input['stats'])
  const outputs = parseOutputs(input['outputs'])
  return {
    pdf,
    errors,
    warnings,
    logs,
    ...(typeof pages === 'number' ? { pages } : {}),
    ...(stats === null ? {} : { stats }),
    ...(outputs === null ? {} : { outputs }),
  }
}

function parseError(fields: Fields): LatexError | null {
  const place = parsePlace(fields)
  if (place === null) return null
  const context = typeof fields['context'] === 'string' ? fields['context'] : null
  const source = SOURCES.find((candidate) => candidate === fields['source']) ?? 'latex'
  const { code, column, cause } = fields
  return {
    type: 'error',
    ...place,
    context,
    source,
    ...(typeof code === 'string' ? { code } : {}),
    ...(isCount(column) ? { column } : {}),
    ...(isCount(cause) ? { cause } : {}),
    ...parseExplanation(fields),
  }
}

function parseWarning(fields: Fields): LatexWarning | null {
  const place = parsePlace(fields)
  if (place === null) return null
  const code = WARNING_CODES.find((candidate) => candidate === fields['code']) ?? 'other'
  return { type: 'warning', code, ...place, ...parseExplanation(fields) }
}

function parsePlace(fields: Fields): Pick<LatexError, 'file' | 'line' | 'message'> | null {
  const { file = null, line = null, message } = fields
  if (typeof message !== 'string') return null
  return {
    file: typeof file === 'string' ? file : null,
    line: typeof line === 'number' ? line : null,
    message,
  }
}

function parseExplanation({
  summary,
  remedy,
  package: missing,
}: Fields): Pick<LatexError, 'summary' | 'remedy' | 'package'> {
  const parsed = parseMissingPackage(missing)
  return {
    ...(typeof summary === 'string' ? { summary } : {}),
    ...(typeof remedy === 'string' ? { remedy } : {}),
    ...(parsed === null ? {} : { package: parsed }),
  }
}

function parseMissingPackage(input: unknown): MissingPackage | null {
  if (!isFields(input) || typeof input['provides'] !== 'string') return null
  return {
    provides: input['provides'],
    debian: textOrNull(input['debian']),
    texlive: textOrNull(input['texlive']),
    command: textOrNull(input['command']),
  }
}

function parseLog(fields: Fields): RawPassLog | null {
  const engine = PROGRAMS.find((candidate) => candidate === fields['engine'])
  const { passNumber, exitCode, reason, durationMs } = fields
  if (engine === undefined || typeof passNumber !== 'number' || typeof exitCode !== 'number') return null
  return {
    passNumber,
    engine,
    stdout: textOf(fields['stdout']),
    stderr: textOf(fields['stderr']),
    log: textOf(fields['log']),
    exitCode,
    timedOut: fields['timedOut'] === true,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof durationMs === 'number' ? { durationMs } : {}),
  }
}

function parseStats(input: unknown): CompileStats | null {
  if (!isFields(input)) return null
  const { passes, durationMs } = input
  return typeof passes === 'number' && typeof durationMs === 'number' ? { passes, durationMs } : null
}

function parseOutputs(input: unknown): CompileOutputs | null {
  if (!isFields(input)) return null
  const asked = OUTPUT_NAMES.filter((name) => input[name] !== undefined)
  return Object.fromEntries(
    asked.map((name) => {
      const encoded = input[name]
      return [name, typeof encoded === 'string' ? decodeBase64(encoded) : null]
    }),
  )
}

function parseList<T>(input: unknown, parseItem: (fields: Fields) => T | null): T[] | null {
  if (!Array.isArray(input)) return null
  const items: T[] = []
  for (const entry of input) {
    const item = isFields(entry) ? parseItem(entry) : null
    if (item === null) return null
    items.push(item)
  }
  return items
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
