/**
 * Who looks, and whether a form is our own. Reading never writes; every other method must come from a page of this
 * host, which the browser says itself (`Sec-Fetch-Site`, or `Origin` where it is older), and must carry the form token
 * that only a page of ours could have read.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { matchedRoutes } from 'hono/route'

import { findSession } from '../../accounts/session/session-cookie.ts'
import type { OpenedSession } from '../../accounts/session/session-cookie.ts'
import { makeSecretText } from '../../base/secret-text.ts'
import type { Deps } from '../../operations/deps.ts'
import type { Html } from '../ui/html.ts'
import { sessionOf } from './viewer.ts'
import { clientOf } from './client.ts'

const maxFormBytes = 2 * 1024 * 1024
/** Of a form that carries files, from somebody who is signed in: 25 MB and what stands around them. */
const maxUploadBytes = 26 * 1024 * 1024
const carriesFiles = /^\/[^/]+\/[^/]+\/(?:upload|edit|new)\//
const tokenField = 'form_token'

/** A form that did not come from a page of this host, or whose page is too old. */
export class ForeignForm extends Error {
  override readonly name = 'ForeignForm'
  /** Whether the browser says that it comes from a page of this host: then only its token is too old. */
  readonly isOwn: boolean

  constructor({ isOwn = false }: { readonly isOwn?: boolean } = {}) {
    super('foreign form')
    this.isOwn = isOwn
  }
}

/** A form with more bytes than it may have. */
export class FormTooLarge extends Error {
  override readonly name = 'FormTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super('form too large')
    this.maxBytes = maxBytes
  }
}

/** Finds the viewer by the cookie, for every page. */
export function readSession(deps: Pick<Deps, 'config' | 'store'>): MiddlewareHandler {
  return async (c, next) => {
    c.set('isSecure', deps.config.baseUrl.startsWith('https:'))
    const secret = getCookie(c, cookieName(c, 'session'))
    if (secret !== undefined) {
      const viewer = await findSession(deps.store, secret, clientOf(c))
      if (viewer !== null) c.set('viewer', viewer)
    }
    await next()
    if (c.get('viewer') === undefined || c.res.headers.get('cache-control')?.includes('immutable')) return
    if (!/private|no-store/.test(c.res.headers.get('cache-control') ?? ''))
      c.res.headers.set('cache-control', 'private, no-cache')
  }
}

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
    await boundBody(c)
    const given = (await parseForm(c))[tokenField]
    const secret = formSecret(c)
    if (typeof given !== 'string' || secret === null || !isSigned(given, secret)) throw new ForeignForm({ isOwn: true })
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

/** @throws ForeignForm for a body that is none of its type: no browser sends one. */
function parseForm(c: Context) {
  // Whatever the parser says, no page of ours sends such a body.
  return c.req.parseBody().catch(() => {
    throw new ForeignForm()
  })
}

/** The hidden field that every form needs which is sent by POST. */
export function formToken(c: Context): Html {
  return html`<input type="hidden" name="${tokenField}" value="${signForm(formSecret(c) ?? plantFormSecret(c))}" />`
}

/** One text field of the form that was sent; empty when absent, and for a file. */
export async function readField(c: Context, name: string): Promise<string> {
  const value = (await c.req.parseBody())[name]
  return typeof value === 'string' ? value : ''
}

/** The files that were chosen in one field of the form that was sent. */
export async function readFiles(c: Context, name: string): Promise<readonly File[]> {
  const values = [(await c.req.parseBody({ all: true }))[name] ?? []].flat()
  // A browser sends one without a name and without bytes where none was chosen.
  return values.filter((value) => typeof value !== 'string').filter((file) => file.name !== '' || file.size > 0)
}

/** What the form that was sent holds beside its token and the fields that are named, for a page that sends it on. */
export async function waitingFields(
  c: Context,
  without: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  const fields = Object.entries(await c.req.parseBody())
  return fields.flatMap(([name, value]) =>
    typeof value === 'string' && name !== tokenField && !without.includes(name) ? [[name, value] as const] : [],
  )
}

/** Gives the browser the cookie of a new session. */
export function keepSession(c: Context, { secret, maxAgeS }: OpenedSession): void {
  setCookie(c, cookieName(c, 'session'), secret, {
    ...cookieOptions(c),
    ...(maxAgeS === null ? {} : { maxAge: maxAgeS }),
  })
}

/** Takes the cookie away. */
export function dropSession(c: Context): void {
  deleteCookie(c, cookieName(c, 'session'), cookieOptions(c))
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

/** `__Host-` binds a cookie to this host and to TLS; browsers refuse it on plain HTTP. */
export function cookieName(c: Context, name: string): string {
  return c.get('isSecure') === true ? `__Host-texproof-${name}` : `texproof-${name}`
}

/** Out of reach of scripts and other sites. */
export function cookieOptions(c: Context) {
  return { path: '/', httpOnly: true, secure: c.get('isSecure') === true, sameSite: 'Lax' } as const
}
