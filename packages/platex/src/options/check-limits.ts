import { DEFAULTS } from '../base/defaults.ts'
import { CompileInputError } from '../base/errors.ts'
import type { CompileLimits } from '../base/types.ts'
import { invalidInput } from './invalid-input.ts'

export type ResolvedLimits = Required<CompileLimits>

const encoder = new TextEncoder()

/**
 * Fills what `limits` leaves out.
 *
 * @throws CompileInputError when a limit is no number from 0; Infinity is legal.
 */
export function resolveLimits(limits: unknown, fallback: ResolvedLimits = DEFAULTS.limits): ResolvedLimits {
  if (limits === undefined || limits === null) return fallback
  if (typeof limits !== 'object') throw invalidInput('limits', 'must be an object')
  const given = new Map<string, unknown>(Object.entries(limits))
  return {
    maxSourceBytes: parseLimit(given, 'maxSourceBytes') ?? fallback.maxSourceBytes,
    maxFilesCount: parseLimit(given, 'maxFilesCount') ?? fallback.maxFilesCount,
    maxTotalFilesBytes: parseLimit(given, 'maxTotalFilesBytes') ?? fallback.maxTotalFilesBytes,
    maxPdfBytes: parseLimit(given, 'maxPdfBytes') ?? fallback.maxPdfBytes,
  }
}

/** @throws CompileInputError `LIMIT` when the source is over its limit; exactly the limit is legal. */
export function checkSourceLimit(source: string, limits: ResolvedLimits): void {
  if (source.length * 3 <= limits.maxSourceBytes) return // no UTF-16 unit takes more than three bytes of UTF-8
  const bytes = encoder.encode(source).byteLength
  if (bytes > limits.maxSourceBytes) throw overLimit('source', 'maxSourceBytes', bytes, limits.maxSourceBytes)
}

/** @throws CompileInputError `LIMIT` when there are more files than allowed. */
export function checkFilesCount(count: number, limits: ResolvedLimits): void {
  if (count > limits.maxFilesCount) throw overLimit('files', 'maxFilesCount', count, limits.maxFilesCount)
}

/** @throws CompileInputError `LIMIT` when the files together are larger than allowed. */
export function checkTotalFilesBytes(totalBytes: number, limits: ResolvedLimits): void {
  if (totalBytes > limits.maxTotalFilesBytes) {
    throw overLimit('files', 'maxTotalFilesBytes', totalBytes, limits.maxTotalFilesBytes)
  }
}

function parseLimit(given: ReadonlyMap<string, unknown>, name: keyof ResolvedLimits): number | null {
  const value = given.get(name)
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || Number.isNaN(value) || value < 0) {
    throw invalidInput(`limits.${name}`, 'must be a number, 0 or more')
  }
  return value
}

function overLimit(path: string, limit: keyof ResolvedLimits, actual: number, maximum: number): CompileInputError {
  return new CompileInputError(`${path} exceeds ${limit}: ${actual} > ${maximum}`, { code: 'LIMIT', path })
}
