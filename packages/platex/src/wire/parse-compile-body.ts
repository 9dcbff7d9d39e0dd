import type { ResolvedLimits } from '../input/check-limits.ts'
import { checkFilesCount, checkSourceLimit, checkTotalFilesBytes } from '../input/check-limits.ts'
import { parseFiles } from '../input/parse-files.ts'
import {
  parseBibliography,
  parsePasses,
  parseSource,
  parseTimeoutMs,
  parseWireEngine,
} from '../input/parse-settings.ts'
import { sumBytes } from '../input/parse-options.ts'
import { MAX_WIRE_TIMEOUT_MS } from '../defaults.ts'
import { CompileInputError } from '../errors.ts'
import type { BibEngine, Engine, PassCount } from '../types.ts'
import { decodeBase64, maxDecodedBytes } from './decode-base64.ts'
import { RequestFault } from './request-fault.ts'
import { scanJsonShape } from './scan-json-shape.ts'

/** A compile request as it came over the wire; null = the caller did not say. */
export interface CompileBody {
  readonly source: string
  readonly engine: Engine | null
  readonly passes: PassCount | null
  readonly bibliography: BibEngine | null
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Clamped to the wire's two minutes. */
  readonly timeoutMs: number | null
}

const MAX_DEPTH = 4
const MIN_STRUCTURAL_TOKENS = 400

/**
 * Parses the JSON of `POST /compile` and checks it against the limits. Unknown fields are ignored.
 *
 * @throws RequestFault 400 `invalid_json` or `invalid_request` for what is no such JSON
 * @throws CompileInputError for a wrong field
 */
export function parseCompileBody(json: Uint8Array, limits: ResolvedLimits): CompileBody {
  const fields = parseObject(json, limits)
  const body = {
    source: parseSource(fields.get('source')),
    engine: parseWireEngine(fields.get('engine')),
    passes: parsePasses(fields.get('passes')),
    bibliography: parseBibliography(fields.get('bibliography')),
    timeoutMs: clampTimeout(parseTimeoutMs(fields.get('timeout'))),
  }
  checkSourceLimit(body.source, limits)
  return { ...body, files: parseWireFiles(fields.get('files'), limits) }
}

function parseObject(json: Uint8Array, limits: ResolvedLimits): ReadonlyMap<string, unknown> {
  // Two keys' worth of structure a file, and room for fields that later clients may send.
  const maxStructuralTokens = Math.max(MIN_STRUCTURAL_TOKENS, limits.maxFilesCount * 2 + MIN_STRUCTURAL_TOKENS / 2)
  const shape = scanJsonShape(json, { maxDepth: MAX_DEPTH, maxStructuralTokens })
  if (shape.depth > MAX_DEPTH) throw invalidRequest(`The JSON is nested deeper than ${MAX_DEPTH} levels.`)
  if (shape.structuralTokens > maxStructuralTokens) throw invalidRequest('The JSON has too many keys and values.')
  const value = parseJson(json)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('The body must be a JSON object with a field "source".')
  }
  return new Map(Object.entries(value))
}

function parseJson(json: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json))
  } catch (cause) {
    throw new RequestFault('The body is not valid JSON in UTF-8.', { status: 400, code: 'invalid_json', cause })
  }
}

function parseWireFiles(input: unknown, limits: ResolvedLimits): ReadonlyMap<string, Uint8Array> {
  const encoded = parseFiles(input, parseBase64Text)
  checkFilesCount(encoded.size, limits)
  let leastBytes = 0
  for (const text of encoded.values()) leastBytes += leastDecodedBytes(text)
  checkTotalFilesBytes(leastBytes, limits)
  const files = new Map<string, Uint8Array>()
  for (const [name, text] of encoded) files.set(name, decodeFile(name, text))
  checkTotalFilesBytes(sumBytes(files), limits)
  return files
}

/** Bytes that the text holds at least: nothing is decoded that cannot fit. Only blanks could make it less. */
function leastDecodedBytes(text: string): number {
  return /\s/.test(text) ? 0 : maxDecodedBytes(text) - 2
}

function parseBase64Text(content: unknown, path: string): string {
  if (typeof content === 'string') return content
  throw new CompileInputError(`${path} must be a string of base64`, { code: 'INVALID_INPUT', path })
}

function decodeFile(name: string, text: string): Uint8Array {
  const bytes = decodeBase64(text)
  if (bytes !== null) return bytes
  const path = `files[${JSON.stringify(name)}]`
  throw new CompileInputError(`${path} is not valid base64`, { code: 'INVALID_INPUT', path })
}

function clampTimeout(timeoutMs: number | null): number | null {
  return timeoutMs === null ? null : Math.min(timeoutMs, MAX_WIRE_TIMEOUT_MS)
}

function invalidRequest(message: string): RequestFault {
  return new RequestFault(message, { status: 400, code: 'invalid_request' })
}
