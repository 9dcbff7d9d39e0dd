import { DEFAULTS } from '../base/defaults.ts'
import { CompileInputError } from '../base/errors.ts'
import type { CompileLimits } from '../base/types.ts'
import { invalidInput } from './invalid-input.ts'

export type ResolvedLimits = Required<CompileLimits>

const encoder = new TextEncoder()

/**
 * Completes `limits` with the defaults.
 *
 * @throws CompileInputError if a limit is not a number from 0; Infinity is allowed.
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

/** @throws CompileInputError `LIMIT` if the source exceeds its limit; the limit is inclusive. */
export function checkSourceLimit(source: string, limits: ResolvedLimits): void {
  if (source.length * 3 <= limits.maxSourceBytes) return // A UTF-16 unit takes at most three bytes in UTF-8.
  const bytes = encoder.encode(source).byteLength
  if (bytes > limits.maxSourceBytes) throw overLimit('source', 'maxSourceBytes', bytes, limits.maxSourceBytes)
}

/** @throws CompileInputError `LIMIT` if there are too many files. */
export function checkFilesCount(count: number, limits: ResolvedLimits): void {
  if (count > limits.maxFilesCount) throw overLimit('files', 'maxFilesCount', count, limits.maxFilesCount)
}

/** @throws CompileInputError `LIMIT` if the total size of the files exceeds the limit. */
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
