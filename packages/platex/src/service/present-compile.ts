import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

import type { CompileResult } from '../base/types.ts'
import { jsonResponse } from './wire/json-response.ts'
import { acceptsGzip, prefersPdf } from './accept.ts'
import { presentAnyResult } from './body/large-bodies.ts'

const GZIP_FROM_BYTES = 1024

const compress = promisify(gzip)

/**
 * The answer in the form that the caller accepts: JSON, or the bare PDF for `Accept: application/pdf`.
 *
 * Asked for a bare PDF, a document without one is a 422, since its JSON would be saved as a PDF otherwise.
 */
export async function presentCompile(headers: Headers, result: CompileResult): Promise<Response> {
  if (!prefersPdf(headers)) return presentJson(headers, result, 200)
  if (result.pdf === null) return presentJson(headers, result, 422)
  return new Response(new Uint8Array(result.pdf), {
    headers: { 'Content-Type': 'application/pdf', 'Cache-Control': 'no-store', Vary: 'Accept, Accept-Encoding' },
  })
}

/** Compressed when asked: that undoes most of what base64 adds. */
async function presentJson(headers: Headers, result: CompileResult, status: number): Promise<Response> {
  const json = await presentAnyResult(result)
  const vary = { Vary: 'Accept, Accept-Encoding' }
  if (json.length <= GZIP_FROM_BYTES || !acceptsGzip(headers)) return jsonResponse(json, status, vary)
  const body = await compress(json, { level: 1 })
  return jsonResponse(new Uint8Array(body), status, { ...vary, 'Content-Encoding': 'gzip' })
}
