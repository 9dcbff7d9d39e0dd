/**
 * Forms: each is parsed once, by `guardForms`, before its handler runs. It must come from a page of this host, as
 * stated by the browser (`Sec-Fetch-Site`, or `Origin` in older ones), and must contain the form token of one of our
 * pages.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { matchedRoutes } from 'hono/route'

import { networkOf } from '../../accounts/session/network-of.ts'
import { makeSecretText } from '../../base/secret-text.ts'
import { defineTask } from '../../base/thread-task.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Html } from '../ui/html.ts'
import { clientOf } from './client.ts'
import { cookieName, cookieOptions } from './cookies.ts'
import { ForeignForm, FormTooLarge, TooManyRequests } from './errors.ts'
import { holdForm } from './form-memory.ts'
import { parseFormBody, type FormBody, type FormField, type FormFile, type ParsedForm } from './parse-form.ts'
import { sessionOf, viewerOf } from './viewer.ts'

const PARSE = defineTask<typeof parseFormBody>(import.meta.resolve('./parse-form.ts'), 'parseFormBody')
/** Any form up to this size takes only a few milliseconds, so it does not wait for a thread. */
const maxBytesHere = 64 * 1024
/** A form of 25 MB takes a tenth of a second on an idle machine. */
const timeLimitMs = 20_000
const maxFormBytes = 2 * 1024 * 1024
/** Maximum size of the files of a form, sent by a signed-in user. */
const maxUploadMb = 25
const carriesFiles = /^\/import$|^\/[^/]+\/[^/]+\/(?:upload|edit|new)\//
const tokenField = 'form_token'

/**
 * Accepts forms of this host only.
 *
 * @throws ForeignForm, FormTooLarge, TooManyRequests
 */
export function guardForms(deps: Pick<Deps, 'config' | 'parsers'>): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    // A missing page answers 404 to every method, whatever the origin.
    if (!hasRoute(c)) return next()
    if (!isOfThisHost(c, deps.config.baseUrl)) throw new ForeignForm()
    await parseForm(c, deps)
    const given = readField(c, tokenField)
    const secret = formSecret(c)
    if (secret === null || !isSigned(given, secret)) throw new ForeignForm({ isOwn: true })
    return next()
  }
}

/** Whether a route matches, other than the middleware, which matches all methods. */
function hasRoute(c: Context): boolean {
  return matchedRoutes(c).some(({ method }) => method === c.req.method)
}

/**
 * Reads a form of bounded size: bounded by its `Content-Length`, or while it is read if a proxy sends it in chunks.
 *
 * @throws FormTooLarge, ForeignForm, TooManyRequests
 */
async function readBody(c: Context): Promise<Uint8Array<ArrayBuffer>> {
  const { headers, body } = c.req.raw
  const hasFiles = carriesFiles.test(c.req.path)
  const isSignedIn = sessionOf(c) !== null
  // The encoding of files takes up to 1 MB more.
  const maxBytes = hasFiles && isSignedIn ? (maxUploadMb + 1) * 1024 * 1024 : maxFormBytes
  const refusal = (): Error =>
    // Its page allows more: the session has ended since it was opened.
    hasFiles && !isSignedIn
      ? new ForeignForm({ isOwn: true })
      : new FormTooLarge(maxBytes === maxFormBytes ? '2 MB' : `${maxUploadMb} MB`)
  const length = headers.get('content-length')
  if (Number(length) > maxBytes) throw refusal()
  if (Number(length) > maxBytesHere) holdForm(c, Number(length))
  if (length !== null || body === null) return new Uint8Array(await c.req.arrayBuffer())
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body) {
    const wasLarge = byteCount > maxBytesHere
    byteCount += chunk.byteLength
    if (byteCount > maxBytes) throw refusal()
    if (!wasLarge && byteCount > maxBytesHere) holdForm(c, maxBytes)
    chunks.push(chunk)
  }
  return Uint8Array.from(Buffer.concat(chunks))
}

/** Name → values: text, or files. */
type Form = ReadonlyMap<string, readonly FormField[1][]>

/**
 * Parses the form of a request once.
 *
 * @throws FormTooLarge, TooManyRequests, ForeignForm for a body that does not match its type: browsers send none.
 */
export async function parseForm(c: Context, { parsers }: Pick<Deps, 'parsers'>): Promise<void> {
  if (c.get('form') !== undefined) return
  const body = { contentType: c.req.header('content-type') ?? '', bytes: await readBody(c) }
  c.set('form', new Map()) // Refused below, it has no fields.
  const parsed = body.bytes.length <= maxBytesHere ? await parseFormBody(body) : await parseInWorker(c, body, parsers)
  if (parsed.kind === 'refused') throw new FormTooLarge(parsed.limit)
  // The pages of this host never send such a body.
  if (parsed.kind !== 'parsed') throw new ForeignForm()
  c.set('form', groupByName(parsed.fields))
}

/** Parses in a worker thread: a crafted form of this size can take many seconds. */
async function parseInWorker(c: Context, body: FormBody, parsers: Deps['parsers']): Promise<ParsedForm> {
  const ownerId = viewerOf(c)?.id ?? networkOf(clientOf(c).address)
  const outcome = await parsers.run(PARSE, body, { ownerId, timeLimitMs, transfer: [body.bytes.buffer] })
  if (outcome.kind === 'busy' || outcome.kind === 'timed-out') throw new TooManyRequests(1)
  if (outcome.kind === 'done') return outcome.value
  return { kind: 'malformed' }
}

function groupByName(fields: readonly FormField[]): Form {
  const form = new Map<string, FormField[1][]>()
  for (const [name, value] of fields) {
    const values = form.get(name)
    if (values === undefined) form.set(name, [value])
    else values.push(value)
  }
  return form
}

function valuesOf(c: Context, name: string): readonly FormField[1][] {
  return (c.get('form') as Form | undefined)?.get(name) ?? []
}

/** The hidden field required in every form sent by POST. */
export function formToken(c: Context): Html {
  return html`<input type="hidden" name="${tokenField}" value="${signForm(formSecret(c) ?? plantFormSecret(c))}" />`
}

/** One text field of the form; empty if absent, or a file. */
export function readField(c: Context, name: string): string {
  const value = valuesOf(c, name).at(-1)
  return typeof value === 'string' ? value : ''
}

/** All text values of one field of the form. */
export function readFields(c: Context, name: string): readonly string[] {
  return valuesOf(c, name).filter((value) => typeof value === 'string')
}

/** The files of one field of the form. */
export function readFiles(c: Context, name: string): readonly FormFile[] {
  const files = valuesOf(c, name).filter((value) => typeof value !== 'string')
  // Without a choice, browsers send a file without name and content.
  return files.filter((file) => file.name !== '' || file.bytes.length > 0)
}

/** All text fields of the form, except its token and those given, for a page that submits them again. */
export function fieldsExcept(c: Context, without: readonly string[]): readonly (readonly [string, string])[] {
  const names = [...((c.get('form') as Form | undefined)?.keys() ?? [])]
  const wanted = names.filter((name) => name !== tokenField && !without.includes(name))
  return wanted.flatMap((name) => readFields(c, name).map((value) => [name, value] as const))
}

function isOfThisHost(c: Context, baseUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  return site === undefined ? isOriginOfThisHost(c, baseUrl) : site === 'same-origin'
}

/** Whether the `Origin` of a request is this host. */
export function isOriginOfThisHost(c: Context, baseUrl: string): boolean {
  const origin = c.req.header('origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  // Browsers set both headers correctly; the second covers addresses other than the configured one.
  return origin === new URL(baseUrl).origin || new URL(origin).host === c.req.header('host')
}

/** The key that signs the forms of this browser: the session cookie, or a separate cookie before there is a session. */
function formSecret(c: Context): string | null {
  if (c.get('viewer') !== undefined) return getCookie(c, cookieName(c, 'session')) ?? null
  return (c.get('formSecret') as string | undefined) ?? getCookie(c, cookieName(c, 'form')) ?? null
}

function plantFormSecret(c: Context): string {
  const secret = makeSecretText()
  c.set('formSecret', secret)
  setCookie(c, cookieName(c, 'form'), secret, cookieOptions(c))
  return secret
}

/** Signs a form, with a new salt in each response, so that compression does not reveal the token. */
function signForm(secret: string, salt = randomBytes(9).toString('base64url')): string {
  return `${salt}.${createHmac('sha256', secret).update(`form ${salt}`).digest('base64url')}`
}

function isSigned(given: string, secret: string): boolean {
  return isSame(given, signForm(secret, given.split('.', 1)[0]))
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)]
  return left.length === right.length && timingSafeEqual(left, right)
}
