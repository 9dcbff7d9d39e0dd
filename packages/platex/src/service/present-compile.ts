import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'

import type { CompileResult } from '../base/types.ts'
import { jsonResponse } from './wire/json-response.ts'
import { acceptsGzip, prefersPdf } from './accept.ts'
import { presentAnyResult } from './body/large-bodies.ts'
import type { ResultJson } from './wire/present-result.ts'

const GZIP_FROM_BYTES = 1024

const compress = promisify(gzip)

/** The compressed JSON of each result that is still in use, because identical requests get the same bytes. */
const compressedBodies = new WeakMap<CompileResult, Promise<Uint8Array<ArrayBuffer>>>()

/**
 * The response in the format that the client accepts: JSON, or the PDF itself for `Accept: application/pdf`.
 *
 * If a PDF was requested and there is none, the status is 422: clients would otherwise save the JSON as a PDF.
 */
export async function presentCompile(headers: Headers, result: CompileResult): Promise<Response> {
  if (!prefersPdf(headers)) return presentJson(headers, result, 200)
  if (result.pdf === null) return presentJson(headers, result, 422)
  return new Response(new Uint8Array(result.pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' },
  })
}

/** Compressed if accepted, which removes most of the overhead of base64. */
async function presentJson(headers: Headers, result: CompileResult, status: number): Promise<Response> {
  const vary = { Vary: 'Accept, Accept-Encoding' }
  const isCompressed = acceptsGzip(headers)
  const known = isCompressed ? compressedBodies.get(result) : undefined
  const json = known === undefined ? await presentAnyResult(result) : ''
  if (known === undefined && (json.length <= GZIP_FROM_BYTES || !isCompressed)) return jsonResponse(json, status, vary)
  const body = known ?? compressBody(json, result.pdf?.length ?? 0)
  compressedBodies.set(result, body)
  return jsonResponse(await body, status, { ...vary, 'Content-Encoding': 'gzip' })
}

/** Base64 of a PDF, which is compressed itself, repeats nothing: looking for repetitions takes longer than all the rest. */
async function compressBody(json: ResultJson, pdfBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const isMostlyPdf = pdfBytes > json.length / 2
  const strategy = isMostlyPdf ? constants.Z_HUFFMAN_ONLY : constants.Z_DEFAULT_STRATEGY
  return new Uint8Array(await compress(json, { level: 1, strategy }))
}
