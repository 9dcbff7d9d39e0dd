import { MAX_WIRE_TIMEOUT_MS } from '../../base/defaults.ts'
import type { BibEngine, Engine, OutputName, PassCount } from '../../base/types.ts'
import {
  checkFilesCount,
  checkSourceLimit,
  checkTotalFilesBytes,
  type ResolvedLimits,
} from '../../options/check-limits.ts'
import { parseFiles } from '../../options/parse-files.ts'
import { parseMain } from '../../options/parse-main.ts'
import { sumBytes } from '../../options/parse-options.ts'
import {
  parseBibliography,
  parseOutputs,
  parsePasses,
  parseRootSource,
  parseSession,
  parseTimeoutMs,
  parseWireEngine,
} from '../../options/parse-settings.ts'
import { decodeBase64, maxDecodedBytes } from './base64.ts'
import { countJsonTokens } from './count-json-tokens.ts'
import { RequestFault } from './request-fault.ts'
import { invalidInput } from '../../options/invalid-input.ts'

/** A compile request as received over HTTP; null = absent. */
export interface CompileBody {
  /** Null if `main` names the root file. */
  readonly source: string | null
  readonly main: string | null
  readonly engine: Engine | null
  readonly passes: PassCount | null
  readonly bibliography: BibEngine | null
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Clamped to two minutes. */
  readonly timeoutMs: number | null
  readonly outputs: readonly OutputName[]
  readonly session: string | null
}

/** `JSON.parse` takes at most 20 ms for so many, whatever they are. */
const MAX_TOKENS = 10_000
/** Tokens of `"name": {"text": "…"},`. */
const TOKENS_PER_FILE = 5

/**
 * Parses the JSON of `POST /compile` and checks the limits. Unknown fields are ignored.
 *
 * @throws RequestFault 400 `invalid_json` or `invalid_request`
 * @throws CompileInputError for an invalid field
 */
export function parseCompileBody(json: Uint8Array, limits: ResolvedLimits): CompileBody {
  return parseCompileFields(parseObject(json, limits), limits)
}

/**
 * Checks the fields of a compile request, whatever form it had, and then the limits. Content of `files` may be bytes as
 * well.
 *
 * @throws CompileInputError for an invalid field
 */
export function parseCompileFields(fields: ReadonlyMap<string, unknown>, limits: ResolvedLimits): CompileBody {
  const main = parseMain(fields.get('main'))
  const body = {
    main,
    source: parseRootSource(fields.get('source'), main),
    engine: parseWireEngine(fields.get('engine')),
    passes: parsePasses(fields.get('passes')),
    bibliography: parseBibliography(fields.get('bibliography')),
    timeoutMs: clampTimeout(parseTimeoutMs(fields.get('timeout'))),
    outputs: parseOutputs(fields.get('outputs')),
    session: parseSession(fields.get('session')),
  }
  const contents = parseFiles(fields.get('files'), parseWireContent, { main })
  if (body.source !== null) checkSourceLimit(body.source, limits)
  return { ...body, files: decodeFiles(contents, limits) }
}

function parseObject(json: Uint8Array, limits: ResolvedLimits): ReadonlyMap<string, unknown> {
  const maxTokens = MAX_TOKENS + TOKENS_PER_FILE * limits.maxFilesCount
  if (countJsonTokens(json, maxTokens) > maxTokens) {
    if (!startsJson(json)) throw invalidJson(json)
    throw invalidRequest(
      `The JSON has more than ${maxTokens} keys and values. A request may have at most ${limits.maxFilesCount} files.`,
    )
  }
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
    throw invalidJson(json, cause)
  }
}

/** False for other formats, such as a document that is sent as it is. */
function startsJson(bytes: Uint8Array): boolean {
  return /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 256)))
}

function decodeFiles(
  contents: ReadonlyMap<string, WireContent>,
  limits: ResolvedLimits,
): ReadonlyMap<string, Uint8Array> {
  checkFilesCount(contents.size, limits)
  let leastBytes = 0
  for (const content of contents.values()) leastBytes += leastBytesOf(content)
  checkTotalFilesBytes(leastBytes, limits)
  const files = new Map<string, Uint8Array>()
  for (const [name, content] of contents) files.set(name, decodeContent(name, content))
  checkTotalFilesBytes(sumBytes(files), limits)
  return files
}

/** A file on the wire: base64 of its bytes, or `{"text": "…"}`; bytes in an upload. */
type WireContent = { readonly base64: string } | { readonly text: string } | { readonly bytes: Uint8Array }

function parseWireContent(content: unknown, path: string): WireContent {
  if (typeof content === 'string') return { base64: content }
  if (content instanceof Uint8Array) return { bytes: content }
  const text = typeof content === 'object' && content !== null && 'text' in content ? content.text : null
  if (typeof text === 'string') return { text }
  throw invalidInput(path, 'must be a string of base64 or {"text": string}')
}

/** Bytes that the file holds at least: nothing is decoded that cannot fit. Only blanks could make base64 less. */
function leastBytesOf(content: WireContent): number {
  if ('bytes' in content) return content.bytes.length
  if ('text' in content) return content.text.length
  return /\s/.test(content.base64) ? 0 : maxDecodedBytes(content.base64) - 2
}

function decodeContent(name: string, content: WireContent): Uint8Array {
  if ('bytes' in content) return content.bytes
  if ('text' in content) return new TextEncoder().encode(content.text)
  const bytes = decodeBase64(content.base64)
  if (bytes !== null) return bytes
  throw invalidInput(`files[${JSON.stringify(name)}]`, 'is not valid base64')
}

function clampTimeout(timeoutMs: number | null): number | null {
  return timeoutMs === null ? null : Math.min(timeoutMs, MAX_WIRE_TIMEOUT_MS)
}

function invalidJson(body: Uint8Array, cause?: unknown): RequestFault {
  const isZip = new TextDecoder().decode(body.subarray(0, 4)) === 'PK\u0003\u0004'
  const message = isZip
    ? 'The body is a zip archive. Send a tar archive with Content-Type: application/x-tar.'
    : 'The body is not valid JSON in UTF-8.'
  return new RequestFault(message, { status: 400, code: 'invalid_json', cause })
}

function invalidRequest(message: string): RequestFault {
  return new RequestFault(message, { status: 400, code: 'invalid_request' })
}
