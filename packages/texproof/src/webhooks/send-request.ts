/**
 * Sends one request to the receiver of a webhook. The connection goes to an address that was checked, whatever the name
 * resolves to meanwhile, and no redirect is followed: a receiver could otherwise make this server send requests into its
 * own network. Time and size of the response are bounded.
 */
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'

import { findAllowedAddress, type LookUpName } from '../base/public-address.ts'
import type { DeliveryAttempt } from '../store/webhooks/webhook-deliveries.ts'

/** A request with a JSON body. */
export interface WebhookRequest {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Limits of a request. */
export interface SendOptions {
  readonly isPrivateAllowed: boolean
  /** Time limit of the whole exchange. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** How the name of the receiver is resolved. @default the resolver of the system */
  readonly lookup?: LookUpName | undefined
}

const MAX_HEADER_BYTES = 8 * 1024
/** The rest of a longer response is not read. */
const MAX_BODY_BYTES = 16 * 1024

/**
 * Sends a request and returns what to record; a failure is a value.
 *
 * @throws the signal's reason on abort.
 */
export async function sendRequest(
  { url, headers, body }: WebhookRequest,
  { isPrivateAllowed, timeoutMs, signal, lookup }: SendOptions,
): Promise<DeliveryAttempt> {
  const sentAt = Date.now()
  const startedAt = performance.now()
  const sentHeaders = { host: url.host, ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const timeout = AbortSignal.timeout(timeoutMs)
  const end = AbortSignal.any([signal, timeout])
  let response: DeliveryAttempt['response'] = null
  let problem: string | null
  try {
    const finding = findAllowedAddress(url.hostname, { allowsPrivate: isPrivateAllowed, lookup })
    // A lookup cannot be canceled, and takes a minute if the name server does not answer.
    const address = await Promise.race([finding, rejectOnAbort(end)])
    if (address === null) {
      problem = `${url.hostname} was not found, or is in a private network.`
    } else {
      response = await exchange(url, { headers: sentHeaders, body, address, signal: end })
      problem = explainStatus(response.status)
    }
  } catch (error) {
    signal.throwIfAborted()
    problem = timeout.aborted ? `No complete response within ${timeoutMs / 1000} s.` : explainFailure(error)
  }
  return {
    sentAt,
    durationMs: Math.round(performance.now() - startedAt),
    requestHeaders: Object.entries(sentHeaders)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    response,
    problem,
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return promise
}

interface Exchange {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly address: string
  readonly signal: AbortSignal
}

async function exchange(
  url: URL,
  { headers, body, address, signal }: Exchange,
): Promise<NonNullable<DeliveryAttempt['response']>> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const open = url.protocol === 'https:' ? requestHttps : requestHttp
  const request: ClientRequest = open(url, {
    method: 'POST',
    headers,
    agent: false,
    lookup: answerWith(address),
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  })
  request.on('response', resolve)
  request.on('error', reject)
  // Some receivers answer with an upgrade or another informational status only.
  request.on('close', () => reject(new Error('closed without a response')))
  request.end(body)
  const message = await promise
  try {
    return {
      status: message.statusCode ?? 0,
      headers: joinHeaders(message.rawHeaders),
      body: await readStart(message),
    }
  } finally {
    request.destroy()
  }
}

/** Resolves every name to one address. */
function answerWith(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4
  return (_hostname, { all }, done) => {
    if (all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }
}

async function readStart(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let byteCount = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    byteCount += chunk.byteLength
    if (byteCount >= MAX_BODY_BYTES) break
  }
  return asText(Buffer.concat(chunks).subarray(0, MAX_BODY_BYTES).toString('utf8'))
}

function joinHeaders(raw: readonly string[]): string {
  const lines: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) lines.push(`${raw[at]}: ${raw[at + 1]}`)
  return asText(lines.join('\n'))
}

/** PostgreSQL stores no NUL. */
function asText(text: string): string {
  return text.replaceAll('\0', '\uFFFD')
}

function explainStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `The server redirected (${status}). Redirects are not followed: use the final URL.`
  return `The server responded with status ${status}.`
}

function explainFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ECONNREFUSED') return 'Connection refused.'
  if (code === 'HPE_HEADER_OVERFLOW') return 'The headers of the response are too large.'
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)/.test(code)) return 'The TLS certificate of the server is invalid.'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL')) return 'The server does not support TLS at this address.'
  if (code.startsWith('HPE_')) return 'The response is not valid HTTP.'
  return 'The connection failed.'
}
