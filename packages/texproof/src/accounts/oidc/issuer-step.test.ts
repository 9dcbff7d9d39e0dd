import assert from 'node:assert/strict'
import { after, test } from 'node:test'

import { makeFolder } from '../../../test/support/make-folder.ts'
import { sealText } from '../../base/sealing/seal-text.ts'
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

test('sealed content can be opened only for the purpose it was sealed for', async () => {
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

test('a step expires after ten minutes, even if the browser keeps it', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { secret, maxAgeS } = await sealRequest(dataDir, request)
  context.mock.timers.tick(599_000)
  assert.deepEqual([maxAgeS, await openRequest(dataDir, secret)], [600, request])
  context.mock.timers.tick(1_000)
  assert.equal(await openRequest(dataDir, secret), null)
})

test('a step of another program version must be started again', async () => {
  const secret = await sealText(JSON.stringify({ state: 1 }), { dataDir, purpose: 'oidc-request' })
  assert.deepEqual([await openRequest(dataDir, secret), await openRequest(dataDir, 'x')], [null, null])
})
