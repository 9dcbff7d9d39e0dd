import { request } from 'node:http'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** A request whose target is sent exactly as given. */
export interface RawRequest {
  readonly method?: string
  readonly target: string
  /** Headers. In an array, names and values alternate, and are sent unchanged. */
  readonly headers?: OutgoingHttpHeaders | readonly string[]
  readonly body?: string | Uint8Array
}

/** A response, its body parsed if it is JSON. */
export interface RawResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: unknown
}

/** Sends one request on a separate connection. */
export function sendRequest(origin: string, options: RawRequest): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>()
  const { hostname, port } = new URL(origin)
  const sent = request(
    { hostname, port, path: options.target, method: options.method ?? 'GET', headers: options.headers, agent: false },
    (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parse(text) })
      })
    },
  )
  // A connection that is cut while the body is written reports both ends.
  sent.on('error', reject)
  sent.end(options.body)
  return promise
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: tests check the text.
    return null
  }
}
