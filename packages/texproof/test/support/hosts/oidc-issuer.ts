/**
 * A small OpenID Connect issuer on loopback: discovery, keys, authorization with PKCE, tokens signed with a real key.
 * It signs users in without asking, and can send every kind of invalid response.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

import { exportJWK, generateKeyPair, SignJWT } from 'jose'

import type { OidcConfig } from '../../../src/config/read-config.ts'

/** A user of the issuer. */
export interface IssuerPerson {
  readonly sub: string
  readonly email?: string
  readonly email_verified?: boolean
  readonly preferred_username?: string
  readonly name?: string
}

export interface OidcIssuer {
  readonly config: OidcConfig
  /** The user signed in at the issuer. */
  person: IssuerPerson
  /** Claims that replace the correct ones in the next ID tokens. */
  wrongClaims: Readonly<Record<string, unknown>>
  /** Whether tokens are signed with an unpublished key. */
  hasWrongKey: boolean
  /** Whether the user declines the authorization. */
  isDeclining: boolean
  /** Whether every response is 503. */
  isDown: boolean
  /**
   * Where the claims besides `sub` are: `only` = at the user info endpoint and not in ID tokens, `failing` = that endpoint
   * responds with 503. Announced in its discovery document.
   */
  userInfo: 'none' | 'only' | 'failing'
  /** Client authentication; null = not announced, which means `client_secret_basic`. */
  proof: 'client_secret_basic' | 'client_secret_post' | 'none' | null
  /** Number of requests for its discovery document. */
  readonly lookUps: () => number
  close(): Promise<void>
}

interface Grant {
  readonly challenge: string
  readonly nonce: string
  readonly redirectUri: string
}

const clientId = 'papers'
const clientSecret = 'a secret of the two'
const keyId = 'key'

/** Opens the issuer; `hostName` determines whether it is another site for browsers. */
export async function openOidcIssuer(
  options: Partial<OidcConfig> = {},
  hostName: '127.0.0.1' | 'localhost' = '127.0.0.1',
): Promise<OidcIssuer> {
  const [key, otherKey] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')])
  const jwk = { ...(await exportJWK(key.publicKey)), kid: keyId, alg: 'RS256', use: 'sig' }
  const grants = new Map<string, Grant>()
  const accessTokens = new Set<string>()
  let lookUps = 0
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://${hostName}:${(server.address() as AddressInfo).port}`

  const state: OidcIssuer = {
    config: { issuer, clientId, clientSecret, name: 'University', isJoinAllowed: false, ...options },
    person: { sub: 'alice-at-university' },
    wrongClaims: {},
    hasWrongKey: false,
    isDeclining: false,
    isDown: false,
    userInfo: 'none',
    proof: null,
    lookUps: () => lookUps,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', issuer)
    if (state.isDown) return void response.writeHead(503).end()
    if (url.pathname === '/.well-known/openid-configuration') {
      lookUps += 1
      const proof = state.proof === null ? {} : { token_endpoint_auth_methods_supported: [state.proof] }
      const userInfo = state.userInfo === 'none' ? {} : { userinfo_endpoint: `${issuer}/userinfo` }
      return sendJson(response, { ...describeIssuer(issuer), ...proof, ...userInfo })
    }
    if (url.pathname === '/keys') return sendJson(response, { keys: [jwk] })
    if (url.pathname === '/authorize') return void response.writeHead(302, { location: authorize(url) }).end()
    if (url.pathname === '/token') return exchange(request, response)
    if (url.pathname === '/userinfo') return sendUserInfo(request, response)
    response.writeHead(404).end()
  }

  function authorize({ searchParams }: URL): string {
    const asked = (name: string): string => searchParams.get(name) ?? ''
    const back = new URL(asked('redirect_uri'))
    back.searchParams.set('state', asked('state'))
    back.searchParams.set('iss', issuer)
    if (state.isDeclining || asked('client_id') !== clientId || asked('code_challenge_method') !== 'S256') {
      back.searchParams.set('error', 'access_denied')
      return back.href
    }
    const code = randomUUID()
    grants.set(code, { challenge: asked('code_challenge'), nonce: asked('nonce'), redirectUri: asked('redirect_uri') })
    back.searchParams.set('code', code)
    return back.href
  }

  async function exchange(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await readText(request))
    const code = form.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const isGranted = grant?.challenge === challenge && grant.redirectUri === form.get('redirect_uri')
    if (!isGranted || !provesItself(request, form, state.proof))
      return sendJson(response, { error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const person = state.userInfo === 'none' ? state.person : { sub: state.person.sub }
    const claims = { ...person, nonce: grant.nonce, iss: issuer, aud: clientId, iat: now, exp: now + 300 }
    const idToken = await new SignJWT({ ...claims, ...state.wrongClaims })
      .setProtectedHeader({ alg: 'RS256', kid: keyId })
      .sign(state.hasWrongKey ? otherKey.privateKey : key.privateKey)
    const accessToken = randomUUID()
    accessTokens.add(accessToken)
    sendJson(response, { access_token: accessToken, token_type: 'Bearer', expires_in: 60, id_token: idToken })
  }

  function sendUserInfo({ headers }: IncomingMessage, response: ServerResponse): void {
    if (state.userInfo === 'failing') return void response.writeHead(503).end()
    const accessToken = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!accessTokens.has(accessToken)) return void response.writeHead(401).end()
    sendJson(response, state.person)
  }
  return state
}

function describeIssuer(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

function provesItself({ headers }: IncomingMessage, form: URLSearchParams, proof: OidcIssuer['proof']): boolean {
  if (proof === 'none') return form.get('client_id') === clientId && !form.has('client_secret')
  if (proof === 'client_secret_post') return form.get('client_secret') === clientSecret
  const expected = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`
  return headers.authorization === `Basic ${Buffer.from(expected).toString('base64')}`
}

function sendJson(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}
