/**
 * Forms: each is parsed once, by `guardForms`, before its page sees it. It must come from a page of this host, which the
 * browser says itself (`Sec-Fetch-Site`, or `Origin` where it is older), and must carry the form token that only a page
 * of ours could have read.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { matchedRoutes } from 'hono/route'

import { makeSecretText } from '../../base/secret-text.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Html } from '../ui/html.ts'
import { cookieName, cookieOptions } from './cookies.ts'
import { ForeignForm, FormTooLarge } from './errors.ts'
import { sessionOf } from './viewer.ts'

const maxFormBytes = 2 * 1024 * 1024
/** Of a form that carries files, from somebody who is signed in: 25 MB and what stands around them. */
const maxUploadBytes = 26 * 1024 * 1024
const carriesFiles = /^\/[^/]+\/[^/]+\/(?:upload|edit|new)\//
const tokenField = 'form_token'

/**
 * Lets forms of this host through and no others.
 *
 * @throws ForeignForm, FormTooLarge
 */
export function guardForms({ config }: Pick<Deps, 'config'>): MiddlewareHandler {
  return async (c, next) => {
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    // What does not exist answers 404 to every method, wherever the request comes from.
    if (!hasRoute(c)) return next()
    if (!isOfThisHost(c, config.baseUrl)) throw new ForeignForm()
    await parseForm(c)
    const given = readField(c, tokenField)
    const secret = formSecret(c)
    if (secret === null || !isSigned(given, secret)) throw new ForeignForm({ isOwn: true })
    return next()
  }
}

/** Whether a route beyond the middleware, which all methods share, matches. */
function hasRoute(c: Context): boolean {
  return matchedRoutes(c).some(({ method }) => method === c.req.method)
}

/**
 * Browsers say how long a form is; what a proxy hands on in chunks is read up to the limit.
 *
 * @throws FormTooLarge
 */
async function boundBody(c: Context): Promise<void> {
  const { method, headers, body } = c.req.raw
  const maxBytes = sessionOf(c) !== null && carriesFiles.test(c.req.path) ? maxUploadBytes : maxFormBytes
  const length = headers.get('content-length')
  if (Number(length) > maxBytes) throw new FormTooLarge(maxBytes)
  if (length !== null || body === null) return
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of body) {
    byteCount += chunk.byteLength
    if (byteCount > maxBytes) throw new FormTooLarge(maxBytes)
    chunks.push(chunk)
  }
  c.req.raw = new Request(c.req.url, { method, headers, body: Buffer.concat(chunks) })
}

/** Name → values: text, or files. */
type Form = Readonly<Record<string, string | File | (string | File)[]>>

/**
 * Parses the form of a request, unless that is done.
 *
 * @throws FormTooLarge, ForeignForm for a body that is none of its type: no browser sends one.
 */
export async function parseForm(c: Context): Promise<void> {
  if (c.get('form') !== undefined) return
  await boundBody(c)
  const form: Form = await c.req.parseBody({ all: true }).catch(() => {
    // Whatever the parser says, no page of ours sends such a body.
    throw new ForeignForm()
  })
  c.set('form', form)
}

function valuesOf(c: Context, name: string): readonly (string | File)[] {
  const form = c.get('form') as Form | undefined
  return [form?.[name] ?? []].flat()
}

/** The hidden field that every form needs which is sent by POST. */
export function formToken(c: Context): Html {
  return html`<input type="hidden" name="${tokenField}" value="${signForm(formSecret(c) ?? plantFormSecret(c))}" />`
}

/** One text field of the form; empty when absent, and for a file. */
export function readField(c: Context, name: string): string {
  const value = valuesOf(c, name).at(-1)
  return typeof value === 'string' ? value : ''
}

/** The files that were chosen in one field of the form. */
export function readFiles(c: Context, name: string): readonly File[] {
  const files = valuesOf(c, name).filter((value) => typeof value !== 'string')
  // A browser sends one without a name and without bytes where none was chosen.
  return files.filter((file) => file.name !== '' || file.size > 0)
}

/** The fields of the form, except its token and those that are named, for a page that sends them on. */
export function fieldsExcept(c: Context, without: readonly string[]): readonly (readonly [string, string])[] {
  const names = Object.keys((c.get('form') as Form | undefined) ?? {})
  return names.flatMap((name) => {
    const value = valuesOf(c, name).at(-1)
    return typeof value === 'string' && name !== tokenField && !without.includes(name) ? [[name, value] as const] : []
  })
}

function isOfThisHost(c: Context, baseUrl: string): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = c.req.header('origin')
  if (origin === undefined || !URL.canParse(origin)) return false
  // A browser tells the truth about both headers; the second is for an address that is not the configured one.
  return origin === new URL(baseUrl).origin || new URL(origin).host === c.req.header('host')
}

/** What forms of this browser are signed with: the session's cookie, or one of its own before there is a session. */
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

/** Signs a form; with a salt of its own in each answer, so that pages may be compressed without telling it. */
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
