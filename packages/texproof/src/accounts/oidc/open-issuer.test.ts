import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'

import { openOidcIssuer } from '../../../test/support/hosts/oidc-issuer.ts'
import type { OidcIssuer } from '../../../test/support/hosts/oidc-issuer.ts'
import { openIssuer } from './open-issuer.ts'
import type { Issuer, IssuerOutcome } from './open-issuer.ts'

const redirectUri = 'https://papers.uni.example/login/oidc/callback'

async function open(context: TestContext, proof: OidcIssuer['proof'] = null): Promise<OidcIssuer> {
  const server = await openOidcIssuer(proof === 'none' ? { clientSecret: null } : {})
  server.proof = proof
  context.after(() => server.close())
  return server
}

/** Signs in at the identity provider and returns. */
async function signIn(issuer: Issuer): Promise<IssuerOutcome> {
  const begun = await issuer.begin(redirectUri)
  if (begun === null) return { kind: 'unreachable', detail: 'no description' }
  const answer = await fetch(begun.url, { redirect: 'manual' })
  return issuer.finish(new URL(answer.headers.get('location') ?? ''), begun.request)
}

test('a host authenticates with the method that the identity provider supports', async (context) => {
  for (const proof of [null, 'client_secret_basic', 'client_secret_post', 'none'] as const) {
    const server = await open(context, proof)
    const issuer = openIssuer(server.config, { onProblem: () => {} })
    assert.deepEqual(await signIn(issuer), {
      kind: 'verified',
      person: {
        issuer: server.config.issuer,
        subject: 'alice-at-university',
        email: null,
        unprovedEmail: null,
        username: null,
        name: null,
      },
    })
  }
})

test('claims that are not in the ID token are read from the user info endpoint', async (context) => {
  const server = await open(context)
  server.userInfo = 'only'
  server.person = { sub: 'a', email: 'a@uni.example', email_verified: true, preferred_username: 'ann', name: 'Ann' }
  const issuer = openIssuer(server.config, { onProblem: () => {} })
  const person = { subject: 'a', email: 'a@uni.example', unprovedEmail: null, username: 'ann', name: 'Ann' }
  assert.deepEqual(await signIn(issuer), { kind: 'verified', person: { issuer: server.config.issuer, ...person } })
})

test('a failure of the user info endpoint is reported, and the ID token is used alone', async (context) => {
  const server = await open(context)
  server.userInfo = 'failing'
  server.person = { sub: 'a', email: 'a@uni.example', email_verified: true }
  const problems: string[] = []
  const issuer = openIssuer(server.config, { onProblem: (detail) => problems.push(detail) })
  const person = { subject: 'a', email: null, unprovedEmail: null, username: null, name: null }
  assert.deepEqual(
    { outcome: await signIn(issuer), problems: problems.length },
    { outcome: { kind: 'verified', person: { issuer: server.config.issuer, ...person } }, problems: 1 },
  )
})

test('claims are used if they are text, and an email address if it is verified', async (context) => {
  const server = await open(context)
  const issuer = openIssuer(server.config, { onProblem: () => {} })
  server.person = { sub: 'a', email: 'a@uni.example', email_verified: false, preferred_username: ' ', name: ' Alice ' }
  const unconfirmed = await signIn(issuer)
  server.person = { ...server.person, email_verified: true }
  server.wrongClaims = { name: ['Alice'] }
  const confirmed = await signIn(issuer)
  const person = { issuer: server.config.issuer, subject: 'a', username: null }
  assert.deepEqual(
    [unconfirmed, confirmed],
    [
      { kind: 'verified', person: { ...person, email: null, unprovedEmail: 'a@uni.example', name: 'Alice' } },
      { kind: 'verified', person: { ...person, email: 'a@uni.example', unprovedEmail: null, name: null } },
    ],
  )
})

test("the provider's metadata is fetched once for all users, and again after a failure", async (context) => {
  const server = await open(context)
  const problems: string[] = []
  const issuer = openIssuer(server.config, { onProblem: (detail) => problems.push(detail) })
  server.isDown = true
  assert.deepEqual(await Promise.all([issuer.begin(redirectUri), issuer.begin(redirectUri)]), [null, null])
  server.isDown = false
  await Promise.all(Array.from({ length: 5 }, () => issuer.begin(redirectUri)))
  assert.deepEqual([server.lookUps(), problems.length], [1, 2])
})

test('a provider whose metadata names another issuer is not used', async (context) => {
  const server = await open(context)
  const config = { ...server.config, issuer: server.config.issuer.replace('127.0.0.1', 'localhost') }
  const problems: string[] = []
  const issuer = openIssuer(config, { onProblem: (detail) => problems.push(detail) })
  assert.deepEqual([await issuer.begin(redirectUri), problems.length], [null, 1])
})

test('the authorization URL has PKCE, state and nonce, and contains no client secret', async (context) => {
  const server = await open(context)
  const begun = await openIssuer(server.config, { onProblem: () => {} }).begin(redirectUri)
  const { searchParams } = new URL(begun?.url ?? '')
  const { state, nonce, verifier } = begun?.request ?? { state: '', nonce: '', verifier: '' }
  assert.deepEqual([...searchParams.keys()].toSorted(), [
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'nonce',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ])
  assert.deepEqual([searchParams.get('state'), searchParams.get('nonce')], [state, nonce])
  assert.equal(begun?.url.includes(verifier), false)
})
