import assert from 'node:assert/strict'
import { test } from 'node:test'

import { openOidcIssuer } from '../../../test/support/hosts/oidc-issuer.ts'
import { checkIssuer } from './check-issuer.ts'

const baseUrl = 'https://papers.uni.example'

test('checkIssuer reports an identity provider that responds, with the redirect URI', async (context) => {
  const issuer = await openOidcIssuer()
  context.after(() => issuer.close())
  const oidc = issuer.config
  const callback = `${baseUrl}/login/oidc/callback`
  const message = `University (${oidc.issuer}) answers; its redirect URI must be ${callback}`
  assert.deepEqual(await checkIssuer({ oidc, baseUrl }), [{ check: 'sign-in', state: 'good', message, remedy: null }])
})

test('checkIssuer reports one that does not respond, and nothing if none is configured', async () => {
  const issuer = await openOidcIssuer()
  await issuer.close()
  const [finding] = await checkIssuer({ oidc: issuer.config, baseUrl })
  assert.deepEqual([finding?.state, finding?.message.startsWith('no answer from ')], ['broken', true])
  assert.deepEqual(await checkIssuer({ oidc: null, baseUrl }), [])
})
