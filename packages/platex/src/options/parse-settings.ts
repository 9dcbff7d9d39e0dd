/**
 * Parsers for the scalar fields of a compile, shared by options and HTTP requests.
 *
 * `undefined` and `null` mean absent and return null, because JSON clients may send null for absent fields.
 */
import { MAX_TIMER_MS } from '../base/defaults.ts'
import { ENGINE_NAMES, OUTPUT_NAMES } from '../base/names.ts'
import type { BibEngine, Engine, OutputName, PassCount } from '../base/types.ts'
import { invalidInput } from './invalid-input.ts'

/** Engines of the HTTP API. */
const WIRE_ENGINES: readonly Engine[] = ['pdflatex', 'xelatex', 'lualatex']
const BIB_ENGINES: readonly BibEngine[] = ['bibtex', 'biber', 'none']
const PASS_COUNTS: ReadonlyMap<unknown, PassCount> = new Map<unknown, PassCount>([
  ['auto', 'auto'],
  [1, 1],
  [2, 2],
  [3, 3],
  ['1', 1],
  ['2', 2],
  ['3', 3],
])

/** @throws CompileInputError unless absent or an engine of the library. */
export function parseEngine(input: unknown): Engine | null {
  return parseChoice<Engine>(input, ENGINE_NAMES, 'engine')
}

/** @throws CompileInputError unless absent or an engine of the HTTP API, of which there are three. */
export function parseWireEngine(input: unknown): Engine | null {
  return parseChoice(input, WIRE_ENGINES, 'engine')
}

/** @throws CompileInputError unless absent or a bibliography preference. */
export function parseBibliography(input: unknown): BibEngine | null {
  return parseChoice(input, BIB_ENGINES, 'bibliography')
}

/** Accepts 1, 2 and 3 as numbers or strings. @throws CompileInputError unless absent, one of these or `auto`. */
export function parsePasses(input: unknown): PassCount | null {
  if (input === undefined || input === null) return null
  const passes = PASS_COUNTS.get(input)
  if (passes === undefined) throw invalidInput('passes', 'must be one of: auto, 1, 2, 3')
  return passes
}

/** Milliseconds, rounded down, at least 1. @throws CompileInputError unless absent or a finite number above 0. */
export function parseTimeoutMs(input: unknown): number | null {
  if (input === undefined || input === null) return null
  if (typeof input !== 'number' || !Number.isFinite(input) || input <= 0) {
    throw invalidInput('timeout', 'must be a number of milliseconds greater than 0')
  }
  return Math.min(Math.max(1, Math.floor(input)), MAX_TIMER_MS)
}

/** @throws CompileInputError unless absent or a whole number from 0. */
export function parseRetry(input: unknown): number | null {
  if (input === undefined || input === null) return null
  if (typeof input !== 'number' || !Number.isInteger(input) || input < 0) {
    throw invalidInput('retry', 'must be a whole number of additional attempts, 0 or more')
  }
  return input
}

/** @throws CompileInputError unless absent or a format of the request handler. */
export function parseResponseFormat(input: unknown): 'pdf' | 'json' | null {
  return parseChoice(input, ['pdf', 'json'], 'responseFormat')
}

/** @throws CompileInputError unless absent or an object of strings. A value may be absent, too. */
export function checkHeaders(input: unknown): void {
  if (input === undefined || input === null) return
  if (!isGroup(input)) throw invalidInput('headers', 'must be an object of header names and values')
  for (const [name, value] of Object.entries(input))
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw invalidInput(`headers[${JSON.stringify(name)}]`, 'must be a string')
}

/** Whether a value is an object with named properties: not an array, `Headers` or `Map`, whose entries are not properties. */
export function isGroup(input: unknown): input is object {
  return typeof input === 'object' && input !== null && !(Symbol.iterator in input)
}

/** @throws CompileInputError unless a string; the empty string is a valid document without a PDF. */
function parseSource(input: unknown): string {
  if (input === undefined || input === null) throw invalidInput('source', 'is missing: it must be a string of LaTeX')
  if (typeof input !== 'string') throw invalidInput('source', 'must be a string of LaTeX')
  return input
}

/** @throws CompileInputError unless absent or 1 to 128 letters, digits and `._:-`. */
export function parseSession(input: unknown): string | null {
  if (input === undefined || input === null) return null
  if (typeof input === 'string' && /^[\w.:-]{1,128}$/.test(input)) return input
  throw invalidInput('session', 'must be a string of 1 to 128 letters, digits, dots, colons, hyphens and underscores')
}

/** The content of the root file; may be absent if `main` is set. @throws CompileInputError unless a string. */
export function parseRootSource(input: unknown, main: string | null): string | null {
  return main !== null && (input === undefined || input === null) ? null : parseSource(input)
}

function parseChoice<T extends string>(input: unknown, choices: readonly T[], path: string): T | null {
  if (input === undefined || input === null) return null
  const choice = choices.find((candidate) => candidate === input)
  if (choice === undefined) throw invalidInput(path, `must be one of: ${choices.join(', ')}`)
  return choice
}

/**
 * Parses the list of requested additional files, without duplicates.
 *
 * @throws CompileInputError unless absent or an array of known names.
 */
export function parseOutputs(input: unknown): readonly OutputName[] {
  if (input === undefined || input === null) return []
  const items: readonly unknown[] = Array.isArray(input) ? input : [null]
  const names = OUTPUT_NAMES.filter((name) => items.includes(name))
  if (items.every((item) => names.some((name) => name === item))) return names
  throw invalidInput('outputs', `must be an array of: ${OUTPUT_NAMES.join(', ')}`)
}
