import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { CompileResult } from '../base/types.ts'
import type { BodyBudget } from './body/body-budget.ts'
import { countedBody } from './body/counted-body.ts'
import { acceptsGzip, prefersPdf } from './accept.ts'
import { presentAnyResult } from './body/large-bodies.ts'
import type { ResultJson } from './wire/present-result.ts'

const GZIP_FROM_BYTES = 1024

const compress = promisify(gzip)

/** The compressed JSON of each result that is still in use, because identical requests get the same bytes. */
const compressedBodies = new WeakMap<CompileResult, Promise<Uint8Array<ArrayBuffer>>>()

/**
 * The response in the format that the client accepts: JSON, or the PDF itself for `Accept: application/pdf`. It is
 * counted in `budget` until it is sent.
 *
 * If a PDF was requested and there is none, the status is 422: clients would otherwise save the JSON as a PDF.
 *
 * @throws RequestFault 503 if too many results are being sent.
 */
export async function presentCompile(headers: Headers, result: CompileResult, budget: BodyBudget): Promise<Response> {
  if (prefersPdf(headers) && result.pdf !== null) {
    return respond(result.pdf, { status: 200, headers: { 'Content-Type': 'application/pdf' }, budget })
  }
  const status = prefersPdf(headers) ? 422 : 200
  const { body, encoding } = await presentJson(result, acceptsGzip(headers))
  const type = { 'Content-Type': 'application/json; charset=utf-8' }
  return respond(body, { status, headers: { ...type, ...encoding }, budget })
}

interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly budget: BodyBudget
}

function respond(body: Uint8Array, { status, headers, budget }: Reply): Response {
  const common = {
    'Cache-Control': 'no-store',
    'Content-Length': String(body.length),
    Vary: 'Accept, Accept-Encoding',
  }
  return new Response(countedBody(body, budget), { status, headers: { ...headers, ...common } })
}

interface JsonBody {
  readonly body: Uint8Array
  readonly encoding: Readonly<Record<string, string>>
}

/** Compressed if accepted, which removes most of the overhead of base64. */
async function presentJson(result: CompileResult, isCompressed: boolean): Promise<JsonBody> {
  const known = isCompressed ? compressedBodies.get(result) : undefined
  const json = known === undefined ? await presentAnyResult(result) : ''
  if (known === undefined && (json.length <= GZIP_FROM_BYTES || !isCompressed)) {
    return { body: typeof json === 'string' ? new TextEncoder().encode(json) : json, encoding: {} }
  }
  const body = known ?? compressBody(json, result.pdf?.length ?? 0)
  compressedBodies.set(result, body)
  return { body: await body, encoding: { 'Content-Encoding': 'gzip' } }
}

/** Base64 of a PDF, which is compressed itself, repeats nothing: looking for repetitions takes longer than all the rest. */
async function compressBody(json: ResultJson, pdfBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const isMostlyPdf = pdfBytes > json.length / 2
  const strategy = isMostlyPdf ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY
  return new Uint8Array(await compress(json, { level: 1, strategy }))
}
