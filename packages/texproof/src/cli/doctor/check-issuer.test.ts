import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openOidcIssuer } from '../../../test/support/hosts/oidc-issuer.ts'
import { checkIssuer } from './check-issuer.ts'

const baseUrl = 'https://papers.uni.example'

test('an issuer that answers is good, with the address that it must know', async (context) => {
  const issuer = await openOidcIssuer()
  context.after(() => issuer.close())
  const oidc = issuer.config
  const callback = `${baseUrl}/login/oidc/callback`
  const message = `University (${oidc.issuer}) signs people in; it must know ${callback}`
  assert.deepEqual(await checkIssuer({ oidc, baseUrl }), [{ check: 'sign-in', state: 'good', message, remedy: null }])
})

test('an issuer that does not answer is broken, and none at all is no finding', async () => {
  const issuer = await openOidcIssuer()
  await issuer.close()
  const [finding] = await checkIssuer({ oidc: issuer.config, baseUrl })
  assert.deepEqual([finding?.state, /does not answer: /.test(finding?.message ?? '')], ['broken', true])
  assert.deepEqual(await checkIssuer({ oidc: null, baseUrl }), [])
})
