/**
 * An issuer of OpenID Connect: authorization code with PKCE, state and nonce. Everything that comes back is checked by
 * the library; the signature of the ID token too, which the standard would spare where TLS has carried it.
 *
 * The issuer is looked up when somebody wants to sign in by it, not at the start: a host whose issuer is down starts,
 * and lets people in by password.
 */
import * as client from 'openid-client'

import type { OidcConfig } from '../../config/read-config.ts'

/** What is kept in the browser between the two halves of a sign-in. */
export interface IssuerRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Somebody whom the issuer vouches for. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** Only one that the issuer has seen to be theirs. */
  readonly email: string | null
  /** What it calls their address without saying so: many issuers never do. */
  readonly unprovedEmail: string | null
  /** What they are called there; anything, also nothing. */
  readonly username: string | null
  readonly name: string | null
}

/** What came of asking the issuer; `detail` is for the log. */
export type IssuerOutcome =
  | { readonly kind: 'vouched'; readonly person: ExternalIdentity }
  /** The person, or the issuer, said no. */
  | { readonly kind: 'declined'; readonly detail: string }
  /** What came back was not for this sign-in, not from this issuer, or used before. */
  | { readonly kind: 'not-trusted'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly detail: string }

/** An issuer that people may sign in by. */
export interface Issuer {
  /** Where to send the browser, and what to keep; null when the issuer does not answer. `redirectUri` is ours. */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly request: IssuerRequest } | null>
  /** Reads what the browser brought back; `currentUrl` is the redirect address with its query. */
  finish(currentUrl: URL, request: IssuerRequest): Promise<IssuerOutcome>
}

const timeLimitS = 10
/** Issuers change their keys and addresses; the library fetches unknown keys by itself. */
const metadataLifeMs = 3_600_000

/** Makes the issuer of a configuration. `onProblem` hears of an issuer that does not answer. */
export function openIssuer(
  config: OidcConfig,
  { onProblem }: { readonly onProblem: (detail: string) => void },
): Issuer {
  let known: { readonly configuration: Promise<client.Configuration>; readonly until: number } | null = null

  /** One look-up at a time, however many people wait for it; a failed one is forgotten. */
  function discover(): Promise<client.Configuration> {
    if (known !== null && known.until > Date.now()) return known.configuration
    const attempt = { configuration: discoverIssuer(config), until: Date.now() + metadataLifeMs }
    known = attempt
    // The caller gets the error; the next one tries again.
    attempt.configuration.catch(() => {
      if (known === attempt) known = null
    })
    return attempt.configuration
  }

  return {
    async begin(redirectUri) {
      try {
        const configuration = await discover()
        const request = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
        }
        const url = client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: request.state,
          nonce: request.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(request.verifier),
          code_challenge_method: 'S256',
        })
        return { url: url.href, request }
      } catch (error) {
        onProblem(describe(error))
        return null
      }
    },

    async finish(currentUrl, { state, nonce, verifier }) {
      try {
        const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true }
        const tokens = await client.authorizationCodeGrant(await discover(), currentUrl, checks)
        const claims = tokens.claims()
        if (claims === undefined) return { kind: 'not-trusted', detail: 'no ID token' }
        return { kind: 'vouched', person: readPerson(claims) }
      } catch (error) {
        return { kind: judge(error), detail: describe(error) }
      }
    },
  }
}

async function discoverIssuer({ issuer, clientId, clientSecret }: OidcConfig): Promise<client.Configuration> {
  const isPlain = issuer.startsWith('http:')
  const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
    timeout: timeLimitS,
    execute: isPlain ? [client.allowInsecureRequests] : [],
  })
  const server = found.serverMetadata()
  // What an issuer does not say means the first of the two.
  const takesBasic = (server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']).includes(
    'client_secret_basic',
  )
  const proof =
    clientSecret === null
      ? client.None()
      : takesBasic
        ? client.ClientSecretBasic(clientSecret)
        : client.ClientSecretPost(clientSecret)
  const configuration = new client.Configuration(server, clientId, undefined, proof)
  configuration.timeout = timeLimitS
  if (isPlain) client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  return configuration
}

function readPerson(claims: client.IDToken): ExternalIdentity {
  const text = (name: string): string | null => {
    const value = claims[name]
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
  }
  // Some write it as a text.
  const isVerified = claims['email_verified'] === true || claims['email_verified'] === 'true'
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: isVerified ? text('email') : null,
    unprovedEmail: isVerified ? null : text('email'),
    username: text('preferred_username'),
    name: text('name'),
  }
}

function judge(error: unknown): 'declined' | 'not-trusted' | 'unreachable' {
  if (error instanceof client.AuthorizationResponseError) return 'declined'
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  const isLate = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT'
  const isCutOff = error instanceof TypeError || cause instanceof TypeError
  const isItsFault = cause instanceof Response && cause.status >= 500
  return isLate || isCutOff || isItsFault ? 'unreachable' : 'not-trusted'
}

/** For the log: words of the library, no token, no code. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${typeof code === 'string' ? `${code} ` : ''}${error.message}${inner}`
}
