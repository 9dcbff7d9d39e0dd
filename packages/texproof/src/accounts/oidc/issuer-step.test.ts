import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { sealText } from '../../base/seal-text.ts'
import { openPerson, openRequest, sealPerson, sealRequest } from './issuer-step.ts'

const dataDir = makeFolder({ after })
const request = { state: 's', nonce: 'n', verifier: 'v', next: '/new', linksUserId: null }
const person = {
  issuer: 'i',
  subject: 's',
  email: null,
  unprovedEmail: 'a@uni.example',
  username: null,
  name: null,
  next: '/',
}

test('what was sealed opens again, as what it was sealed for and as nothing else', async () => {
  const [sealedRequest, sealedPerson] = [await sealRequest(dataDir, request), await sealPerson(dataDir, person)]
  assert.deepEqual(
    [
      await openRequest(dataDir, sealedRequest.secret),
      await openPerson(dataDir, sealedPerson.secret),
      await openRequest(dataDir, sealedPerson.secret),
      await openPerson(dataDir, sealedRequest.secret),
    ],
    [request, person, null, null],
  )
})

test('a step ends after ten minutes, whatever the browser keeps', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { secret, maxAgeS } = await sealRequest(dataDir, request)
  context.mock.timers.tick(599_000)
  assert.deepEqual([maxAgeS, await openRequest(dataDir, secret)], [600, request])
  context.mock.timers.tick(1_000)
  assert.equal(await openRequest(dataDir, secret), null)
})

test('a step of another version of the program begins again', async () => {
  const secret = await sealText(JSON.stringify({ state: 1 }), { dataDir, purpose: 'oidc-request' })
  assert.deepEqual([await openRequest(dataDir, secret), await openRequest(dataDir, 'x')], [null, null])
})
