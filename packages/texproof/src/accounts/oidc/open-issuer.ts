/**
 * An OpenID Connect identity provider: authorization code flow with PKCE, state and nonce. The library checks every
 * response, including the signature of the ID token, which the standard does not require over TLS.
 *
 * The provider's metadata is fetched at the first sign-in, not at the start: if the provider is down, the host starts,
 * and users can sign in with passwords.
 */
import * as client from 'openid-client'

import type { OidcConfig } from '../../config/read-config.ts'

/** Values that the browser keeps between the two parts of a sign-in. */
export interface IssuerRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** A person authenticated by the identity provider. */
export interface ExternalIdentity {
  readonly issuer: string
  readonly subject: string
  /** Email address, only if the provider has verified it. */
  readonly email: string | null
  /** An address that the provider does not mark as verified: many providers never do. */
  readonly unprovedEmail: string | null
  /** The username at the provider; any text, or null. */
  readonly username: string | null
  readonly name: string | null
}

/** The outcome of a sign-in; `detail` is for the log. */
export type IssuerOutcome =
  | { readonly kind: 'verified'; readonly person: ExternalIdentity }
  /** The person, or the provider, refused. */
  | { readonly kind: 'declined'; readonly detail: string }
  /** The response is not for this sign-in, not from this provider, or was used before. */
  | { readonly kind: 'not-trusted'; readonly detail: string }
  | { readonly kind: 'unreachable'; readonly detail: string }

/** An identity provider for signing in. */
export interface Issuer {
  /**
   * Returns the URL to redirect to and what the browser must keep; null if the provider does not respond. `redirectUri`
   * is an address of this host.
   */
  begin(redirectUri: string): Promise<{ readonly url: string; readonly request: IssuerRequest } | null>
  /** Checks the response; `currentUrl` is the redirect URI with its query. */
  finish(currentUrl: URL, request: IssuerRequest): Promise<IssuerOutcome>
}

const timeLimitS = 10
/** Providers change their keys and addresses; the library fetches unknown keys itself. */
const metadataLifeMs = 3_600_000

/** Creates the identity provider of a configuration. `onProblem` is called if it does not respond. */
export function openIssuer(
  config: OidcConfig,
  { onProblem }: { readonly onProblem: (detail: string) => void },
): Issuer {
  let known: { readonly configuration: Promise<client.Configuration>; readonly until: number } | null = null

  /** One request at a time, shared by all waiting users. Failures are not cached. */
  function discover(): Promise<client.Configuration> {
    if (known !== null && known.until > Date.now()) return known.configuration
    const attempt = { configuration: discoverIssuer(config), until: Date.now() + metadataLifeMs }
    known = attempt
    // The caller gets the error; the next one retries.
    attempt.configuration.catch(() => {
      if (known === attempt) known = null
    })
    return attempt.configuration
  }

  /**
   * The claims that the provider returns at its user info endpoint: many providers leave them out of ID tokens that come
   * with an access token. Source: OpenID Connect Core 1.0, section 5.4.
   */
  async function findProfile(
    configuration: client.Configuration,
    { access_token: accessToken }: Pick<client.TokenEndpointResponse, 'access_token'>,
    { sub }: Pick<client.IDToken, 'sub'>,
  ): Promise<Partial<client.UserInfoResponse>> {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return {}
    return client.fetchUserInfo(configuration, accessToken, sub).catch((error: unknown) => {
      // The ID token is enough for users with an account; a new one has no email address then.
      onProblem(describe(error))
      return {}
    })
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
        const configuration = await discover()
        const tokens = await client.authorizationCodeGrant(configuration, currentUrl, checks)
        const claims = tokens.claims()
        if (claims === undefined) return { kind: 'not-trusted', detail: 'no ID token' }
        const profile = claims['email'] === undefined ? await findProfile(configuration, tokens, claims) : {}
        return { kind: 'verified', person: readPerson({ ...profile, ...claims }) }
      } catch (error) {
        return { kind: classify(error), detail: describe(error) }
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
  // The default of the standard is the first of the two.
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
  // Some providers send it as a string.
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

function classify(error: unknown): 'declined' | 'not-trusted' | 'unreachable' {
  if (error instanceof client.AuthorizationResponseError) return 'declined'
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown }
  const isLate = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT'
  const isCutOff = error instanceof TypeError || cause instanceof TypeError
  // Not `instanceof Response`: the server replaces that class, and the library has responses of the original one.
  const status = typeof cause === 'object' && cause !== null && 'status' in cause ? Number(cause.status) : 0
  const isItsFault = status >= 500
  return isLate || isCutOff || isItsFault ? 'unreachable' : 'not-trusted'
}

/** Error text for the log: messages of the library, without tokens and codes. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { readonly code?: unknown }
  const inner = error.cause instanceof Error ? `: ${error.cause.message}` : ''
  return `${typeof code === 'string' ? `${code} ` : ''}${error.message}${inner}`
}
